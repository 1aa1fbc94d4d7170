import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { mcpSentences } from "../src/mcp-sentences.ts";

test("mcpSentences are sentences, and none of them has the name of another", () => {
  expect(sentences).toMatchObject(mcpSentences);
  expect(mcpSentences.argumentUnknown("a", undefined, "b, c")).toBe(
    'Unknown argument "a"; known are b, c',
  );
  expect(mcpSentences.recordBytesLeftOut(2, 512)).toBe(
    'Left out 2 record files: at most 512 MB are read, the newest first; choose a later "since"',
  );
});
