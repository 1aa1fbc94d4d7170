import { expect, test } from "bun:test";
import { sharedMemory, word } from "#forwarder/shared-memory.ts";

test("two views of one memory are the same, and its parts do not overlap", () => {
  const ours = sharedMemory();
  const theirs = sharedMemory(ours.buffer);
  for (const index of Object.values(word)) Atomics.store(ours.words, index, index + 100);
  ours.movedMs[0] = 12.25;
  ours.ring.bytes.fill(255);
  for (const index of Object.values(word))
    expect(Atomics.load(theirs.words, index)).toBe(index + 100);
  expect(theirs.movedMs[0]).toBe(12.25);
  expect(theirs.ring.fields[0]).toBe(-1);
  expect(new Set(Object.values(word)).size).toBe(Object.values(word).length);
  expect(Math.max(...Object.values(word))).toBeLessThan(ours.words.length);
});
