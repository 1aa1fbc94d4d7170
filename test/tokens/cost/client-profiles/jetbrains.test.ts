import { plainReads, testReads } from "../../../support/client-reads.ts";

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
