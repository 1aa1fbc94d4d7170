import { expect, test } from "bun:test";
import { cursor } from "#cost/clients/cursor.ts";
import { refusal, refusalData, testDeclares, testReads } from "../../support/client-reads.ts";

testReads(
  "cursor-vscode",
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

testDeclares(
  "cursor-vscode",
  {},
  {
    order: "content-first",
    besideStructured: [],
    showsUserOnly: true,
    resourcesAsJson: false,
    limit: null,
    deferral: "always",
    ownArguments: [],
    trialNames: [],
    spillPlace: "state",
  },
);

test("a tool that is not loaded is a name", () => {
  const { deferral, listing, form, instructions } = cursor.definitions;
  const tool = { name: "weather", description: "d" };
  expect([deferral, listing(tool), instructions("Be kind", true)]).toEqual([
    "always",
    "weather\n",
    "Be kind",
  ]);
  expect(form(tool, true)).toBe(tool);
});
