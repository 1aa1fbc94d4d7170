import { expect, test } from "bun:test";
import { makeSharedMemory, wordIndex, SpoolClaim } from "#transport/forwarder/shared-memory.ts";

const [isRead, isUnread] = [() => true, () => false];

function claims(fd = 7) {
  const { words } = makeSharedMemory();
  Atomics.store(words, wordIndex.spoolFile, fd + 1);
  return { writer: new SpoolClaim(words), judge: new SpoolClaim(words), words };
}

test("the judge takes a file that is read, and the writer knows it at its next write", () => {
  const { writer, judge } = claims();
  expect(writer.begin()).toBe(true);
  writer.end();
  expect(judge.take(isRead)).toBe(7);
  expect(judge.take(isRead)).toBeUndefined();
  expect(writer.begin()).toBe(false);
  writer.end();
  expect(writer.begin()).toBe(true);
});

test("a file is not taken when it is being written, is not read to its end, or does not exist", () => {
  const { writer, judge } = claims();
  writer.begin();
  expect(judge.take(isRead)).toBeUndefined();
  writer.end();
  expect(judge.take(isUnread)).toBeUndefined();
  expect(claims(-1).judge.take(isRead)).toBeUndefined();
});

test("a write that begins and ends after the file was found to be read keeps it", () => {
  const { writer, judge } = claims();
  const written = judge.take(() => {
    writer.begin();
    writer.end();
    return true;
  });
  expect(written).toBeUndefined();
  expect(writer.begin()).toBe(true);
});
