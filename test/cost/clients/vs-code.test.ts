import { expect, test } from "bun:test";
import { blockKinds } from "#cost/clients/block.ts";
import { vsCode } from "#cost/clients/vs-code.ts";
import { refusal, testDeclares, testReads } from "../../support/client-reads.ts";

testReads(
  "Visual Studio Code",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.", "Second."],
    "the same twice": ['{"city":"Oslo","temp":3}'],
    "different halves": ['{"city":"Oslo","temp":3}'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": ["Two rows"],
    "an image": ["A map", "image 640×480"],
    "an image beside structured content": ["image 640×480", '{"city":"Oslo","temp":3}'],
    "an image that cannot be read": ["image of unknown size"],
    sound: ["sound"],
    "a link": ["test://1\none\nThe first"],
    "a resource with text": ["test://2\nBody"],
    "a resource with bytes": ["test://3 application/zip"],
    "a block of an unknown kind": ['{"type":"hologram","of":"me"}', "After"],
    nothing: [],
    "text for the user alone": ["Two rows"],
    "a tool error": ["No such", "city"],
    "a tool error with structured content": ['{"code":7}'],
    "a JSON-RPC error": ["MCP error -32602: Unknown city"],
    "a refusal": [refusal],
    "a refusal as a JSON-RPC error": [`MCP error -31900: ${refusal}`],
  },
);

testDeclares(
  "Visual Studio Code",
  {},
  {
    order: "structured-first",
    besideStructured: blockKinds.filter((kind) => kind !== "text"),
    showsUserOnly: false,
    resourcesAsJson: false,
    limit: null,
    deferral: "never",
    ownArguments: [],
    trialNames: [],
    spillPlace: "state",
  },
);

test("all definitions are in the context from the start", () => {
  expect(vsCode.definitions.deferral).toBe("never");
});
