import { expect, test } from "bun:test";
import { bordering, followerBit, leaderBit, mayJoin } from "#tokens/tokenizer/merge.ts";

test("mayJoin is true where both tokens have the bit of the byte across the border, and else false", () => {
  for (let last = 0; last < 256; last++) {
    for (let first = 0; first < 256; first++) {
      const border = bordering(Uint8Array.of(7, last, first, 7), 2);
      const left = followerBit(first);
      const right = leaderBit(last);
      expect(mayJoin(left, right, border)).toBe(true);
      expect(mayJoin(~left, right, border)).toBe(false);
      expect(mayJoin(left, ~right, border)).toBe(false);
    }
  }
});

test("the bits of followers and leaders share no bit of a word", () => {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte);
  const followers = bytes.reduce((bits, byte) => bits | followerBit(byte), 0);
  const leaders = bytes.reduce((bits, byte) => bits | leaderBit(byte), 0);
  expect([followers, leaders]).toEqual([0xffff, ~0xffff]);
});
