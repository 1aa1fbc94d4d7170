import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { lockSentences } from "../src/lock-sentences.ts";

test("lockSentences are sentences, and none of them has the name of another", () => {
  expect(sentences).toMatchObject(lockSentences);
  expect(lockSentences.answersUnused(1, "a.lock")).toContain("Dropped 1 recorded answer from");
  expect(lockSentences.lockUnwritable("a.lock", "ENOSPC")).toContain("no space left on the disk");
});
