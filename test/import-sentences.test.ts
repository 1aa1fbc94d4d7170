import { expect, test } from "bun:test";
import { importSentences } from "#import-sentences.ts";

test("clients are named, those that are missing and those that are known", () => {
  expect(importSentences.logsMissing("Claude Code", "/a")).toBe(
    'No logs of Claude Code were found for the home "/a"; --from DIR names another one',
  );
  expect(importSentences.logsMissing(undefined, '/a", "/b')).toBe(
    'No logs of any client were found for the home "/a", "/b"; --from DIR names another one',
  );
  expect(importSentences.importerUnknown("emacs", "a, b")).toBe(
    'Cannot import logs of "emacs": use one of a, b',
  );
});
