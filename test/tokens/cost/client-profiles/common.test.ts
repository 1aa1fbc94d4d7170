import { expect, test } from "bun:test";
import {
  cutText,
  joinTexts,
  formatNameLine,
  renameTool,
  addProperty,
  shortenDescription,
} from "#tokens/cost/client-profiles/common.ts";
import { readBlocks } from "#tokens/cost/client-profiles/block.ts";
import {
  plainReads,
  testReads,
  nullStructured,
  unknownBlock,
} from "../../../support/client-reads.ts";

testReads(undefined, {}, plainReads);

test("the texts of an answer are joined, everything else is left out", () => {
  const content = ["a", "b"].map((text) => ({ type: "text", text }));
  const blocks = readBlocks([...content, { type: "image", data: "AAAA" }], false);
  const answer = {
    blocks,
    structured: undefined,
    isStructuredRepeated: false,
    duplicate: [],
    meta: undefined,
    json: () => "",
  };
  const echo = { tool: "weather", args: "" };
  const pieces = joinTexts({ ...answer, echo: echo }, "\n");
  expect(pieces.map((piece) => (typeof piece === "string" ? piece : piece.kind))).toEqual([
    "text",
    "\n",
    "text",
  ]);
});

test("definitions are changed as copies", () => {
  const tool = { name: "weather", description: "abcdef", inputSchema: { type: "object" } };
  expect(renameTool(tool, (name) => `x_${name}`)).toEqual({ ...tool, name: "x_weather" });
  expect(renameTool({ name: 7 }, (name) => `x_${name}`)).toEqual({ name: 7 });
  expect(shortenDescription(tool, 3, "…")["description"]).toBe("abc…");
  expect(shortenDescription(tool, 6, "…")).toBe(tool);
  expect(addProperty(tool, "wait", { type: "boolean" })["inputSchema"]).toEqual({
    type: "object",
    properties: { wait: { type: "boolean" } },
  });
  expect(addProperty({}, "wait", {})["inputSchema"]).toEqual({ properties: { wait: {} } });
  expect(formatNameLine(tool, (name) => name)).toBe("weather\n");
  expect([cutText("abc", 3, "…"), cutText("abcd", 3, "…")]).toEqual(["abc", "abc…"]);
});

test("the errors of client libraries are about as long as measured", () => {
  // 280 and 3,600 characters in Claude Code; about 3,000 in Gemini CLI.
  expect(nullStructured).toContain('"path": [\n      "structuredContent"\n    ]');
  expect(unknownBlock.length).toBeWithin(2_700, 3_700);
});
