import { expect, test } from "bun:test";
import { jetbrains } from "#cost/clients/jetbrains.ts";
import { plainReads, testDeclares, testReads } from "../../support/client-reads.ts";

testReads(
  "JetBrains-IU-copilot-intellij",
  {},
  {
    ...plainReads,
    "the same twice": ['{"city":"Oslo","temp":3}', '{"city":"Oslo","temp":3}'],
    "different halves": ["Cold in Oslo", '{"city":"Oslo","temp":3}'],
    "an image beside structured content": ["A map", "image 640×480", '{"city":"Oslo","temp":3}'],
    "a tool error with structured content": ["No such city", '{"code":7}'],
  },
);

testDeclares(
  "JetBrains-IU-copilot-intellij",
  {},
  {
    order: "both",
    besideStructured: [],
    showsUserOnly: true,
    resourcesAsJson: false,
    limit: null,
    deferral: "never",
    ownArguments: [],
    trialNames: [],
    spillPlace: "state",
  },
);

test("all definitions are in the context from the start", () => {
  expect(jetbrains.definitions.deferral).toBe("never");
});
