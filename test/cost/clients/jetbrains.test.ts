import { expect, test } from "bun:test";
import { jetbrains } from "#cost/clients/jetbrains.ts";
import { refusal, refusalData, testDeclares, testReads } from "../../support/client-reads.ts";

testReads(
  "JetBrains-IU-copilot-intellij",
  {},
  {
    text: ["Two rows"],
    "two texts": ["First.", "Second."],
    "the same twice": ['{"city":"Oslo","temp":3}', '{"city":"Oslo","temp":3}'],
    "different halves": ["Cold in Oslo", '{"city":"Oslo","temp":3}'],
    "structured content alone": ['{"city":"Oslo","temp":3}'],
    "structured content that is null": ["Two rows"],
    "an image": ["A map", "image 640×480"],
    "an image beside structured content": ["A map", "image 640×480", '{"city":"Oslo","temp":3}'],
    "an image that cannot be read": ["image of unknown size"],
    sound: ["sound"],
    "a link": ["test://1\none\nThe first"],
    "a resource with text": ["test://2\nBody"],
    "a resource with bytes": ["test://3 application/zip"],
    "a block of an unknown kind": ['{"type":"hologram","of":"me"}', "After"],
    nothing: [],
    "text for the user alone": ["Saved", "Two rows"],
    "a tool error": ["No such", "city"],
    "a tool error with structured content": ["No such city", '{"code":7}'],
    "a JSON-RPC error": ["-32602", "Unknown city", '{"city":"Oslo"}'],
    "a refusal": [refusal],
    "a refusal as a JSON-RPC error": ["-31900", refusal, refusalData],
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
