import { createHmac } from "node:crypto";
import { expect, test } from "bun:test";
import { Comeback } from "#dash/server/comeback.ts";
import { dashChallengeMs, dashChallengesMax } from "#limits/dash.ts";

const proofOf = (key: string, challenge: string): string =>
  createHmac("sha256", key).update(challenge).digest("hex");

test("the key is that of the installation and the port; without an installation, of one start", () => {
  expect(new Comeback("aa", 1).key).toBe(new Comeback("aa", 1).key);
  expect(new Comeback("aa", 1).key).not.toBe(new Comeback("aa", 2).key);
  expect(new Comeback("aa", 1).key).not.toBe(new Comeback("ab", 1).key);
  expect(new Comeback("", 1).key).not.toBe(new Comeback("", 1).key);
});

test("a proof holds for its own challenge, once and in time", () => {
  const comeback = new Comeback("aa", 1);
  const first = comeback.challenge(0);
  const second = comeback.challenge(0);
  expect(comeback.accepts(first, proofOf(comeback.key, second), 1)).toBe(false);
  expect(comeback.accepts(second, proofOf(new Comeback("aa", 2).key, second), 1)).toBe(false);
  expect(comeback.accepts(second, proofOf(comeback.key, second), 1)).toBe(false);
  const third = comeback.challenge(0);
  expect(comeback.accepts(third, proofOf(comeback.key, third), dashChallengeMs)).toBe(true);
  expect(comeback.accepts(third, proofOf(comeback.key, third), 1)).toBe(false);
  const late = comeback.challenge(0);
  expect(comeback.accepts(late, proofOf(comeback.key, late), dashChallengeMs + 1)).toBe(false);
  expect(comeback.accepts("made up", proofOf(comeback.key, "made up"), 1)).toBe(false);
  expect(comeback.accepts("", "not hexadecimal", 1)).toBe(false);
});

test("only the newest challenges are kept", () => {
  const comeback = new Comeback("aa", 1);
  const first = comeback.challenge(0);
  for (let at = 0; at < dashChallengesMax; at += 1) comeback.challenge(0);
  expect(comeback.accepts(first, proofOf(comeback.key, first), 1)).toBe(false);
});
