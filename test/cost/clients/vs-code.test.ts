import { expect, test } from "bun:test";
import { blockKinds } from "#cost/clients/block.ts";
import { vsCode } from "#cost/clients/vs-code.ts";
import { plainReads, refusal, testDeclares, testReads } from "../../support/client-reads.ts";

testReads(
  "Visual Studio Code",
  {},
  {
    ...plainReads,
    "different halves": ['{"city":"Oslo","temp":3}'],
    "an image beside structured content": ["image 640×480", '{"city":"Oslo","temp":3}'],
    "text for the user alone": ["Two rows"],
    "a tool error with structured content": ['{"code":7}'],
    "a JSON-RPC error": ["MCP error -32602: Unknown city"],
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
