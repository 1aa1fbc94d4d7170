import { expect, test } from "bun:test";
import {
  cut,
  invalidBlocks,
  invalidStructured,
  joinedTexts,
  nameLine,
  renamed,
  withProperty,
  withShortDescription,
} from "#cost/clients/common.ts";
import { readBlocks } from "#cost/clients/block.ts";
import { refusal, refusalData, testReads } from "../../support/client-reads.ts";

// A client of which nothing is known.
testReads(
  undefined,
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.", "Second."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ["Cold in Oslo"],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": ["Two rows"],
    "an image": ["A map", "image 640×480"],
    "an image beside structured content": ["A map", "image 640×480"],
    "an image that cannot be read": ["image of unknown size"],
    sound: ["sound"],
    "a link": ["test://1\none\nThe first"],
    "a resource with text": ["test://2\nBody"],
    "a resource with bytes": ["test://3 application/zip"],
    "a block of an unknown kind": ['{"type":"hologram","of":"me"}', "After"],
    nothing: [],
    "text for the user alone": ["Saved", "Two rows"],
    "a tool error": ["No such", "city"],
    "a tool error with structured content": ["No such city"],
    "a JSON-RPC error": ["-32602", "Unknown city", '{"city":"Oslo"}'],
    "a refusal": [refusal],
    "a refusal as a JSON-RPC error": ["-31900", refusal, refusalData],
  },
);

test("the texts of an answer are joined, everything else is left out", () => {
  const content = ["a", "b"].map((text) => ({ type: "text", text }));
  const blocks = readBlocks([...content, { type: "image", data: "AAAA" }], false);
  const answer = { blocks, structured: undefined, isTwice: false, json: () => "" };
  const asked = { tool: "weather", args: "" };
  const pieces = joinedTexts({ ...answer, asked }, "\n");
  expect(pieces.map((piece) => (typeof piece === "string" ? piece : piece.kind))).toEqual([
    "text",
    "\n",
    "text",
  ]);
});

test("definitions are changed as copies", () => {
  const tool = { name: "weather", description: "abcdef", inputSchema: { type: "object" } };
  expect(renamed(tool, (name) => `x_${name}`)).toEqual({ ...tool, name: "x_weather" });
  expect(renamed({ name: 7 }, (name) => `x_${name}`)).toEqual({ name: 7 });
  expect(withShortDescription(tool, 3, "…")["description"]).toBe("abc…");
  expect(withShortDescription(tool, 6, "…")).toBe(tool);
  expect(withProperty(tool, "wait", { type: "boolean" })["inputSchema"]).toEqual({
    type: "object",
    properties: { wait: { type: "boolean" } },
  });
  expect(withProperty({}, "wait", {})["inputSchema"]).toEqual({ properties: { wait: {} } });
  expect(nameLine(tool, (name) => name)).toBe("weather\n");
  expect([cut("abc", 3, "…"), cut("abcd", 3, "…")]).toEqual(["abc", "abc…"]);
});

test("the errors of client libraries are about as long as measured", () => {
  // 280 and 3,600 characters in Claude Code; about 3,000 in Gemini CLI.
  expect(invalidStructured()).toContain('"path": [\n      "structuredContent"\n    ]');
  expect(invalidBlocks().length).toBeWithin(2_700, 3_700);
});
