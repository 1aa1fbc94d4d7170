import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { setupSentences } from "#setup-sentences.ts";

test("the question counts the servers", () => {
  expect(setupSentences.startQuestion(1)).toBe("Start this server as its client does? [y/N]");
  expect(setupSentences.startQuestion(12)).toContain("these 12 servers as their clients do?");
  expect(sentences.startQuestion).toBe(setupSentences.startQuestion);
});

test("an unknown client gets the nearest name, if there is one", () => {
  const known = "codex, zed";
  expect(setupSentences.settingsClientUnknown("codx", "codex", known)).toBe(
    '--client must be one of codex, zed with --configured, not "codx"; did you mean codex?',
  );
  expect(setupSentences.settingsClientUnknown("x", undefined, known)).toEndWith('not "x"');
});
