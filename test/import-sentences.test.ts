import { expect, test } from "bun:test";
import { importSentences } from "#import-sentences.ts";

test("clients are named, those that are missing and those that are known", () => {
  expect(importSentences.logsMissing("Claude Code")).toBe("No logs of Claude Code were found");
  expect(importSentences.logsMissing(undefined)).toBe("No logs of any client were found");
  expect(importSentences.importerUnknown("emacs", "a, b")).toBe(
    'Cannot import logs of "emacs": use one of a, b',
  );
});
