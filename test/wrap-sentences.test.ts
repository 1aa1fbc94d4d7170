import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { refusalReasons, restartSentences, wrapSentences } from "#wrap-sentences.ts";

test("the sentences are among all sentences", () => {
  for (const key of Object.keys(wrapSentences)) expect(sentences).toHaveProperty(key);
});

test("a server that is not there has the nearest name", () => {
  expect(sentences.wrapServerUnknown("memroy", "memory")).toBe(
    'Cannot find a server "memroy" in the settings; did you mean "memory"?',
  );
});

test("reasons are clauses, and each client has a sentence for its restart", () => {
  for (const reason of Object.values(refusalReasons)) expect(reason).toMatch(/^[a-z].*[^.]$/);
  expect(restartSentences.application("X")).toBe("quit X and start it again");
  expect(restartSentences.session("X")).toContain("session of X");
  expect(restartSentences.servers("X")).toContain("list of X");
});
