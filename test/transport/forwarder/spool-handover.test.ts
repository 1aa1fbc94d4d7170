import { expect, test } from "bun:test";
import { makeSharedMemory, wordIndex, SpoolHandover } from "#transport/forwarder/shared-memory.ts";

const [isRead, isUnread] = [() => true, () => false];

function handovers(fd = 7) {
  const { words } = makeSharedMemory();
  Atomics.store(words, wordIndex.spoolFile, fd + 1);
  return { writer: new SpoolHandover(words), judge: new SpoolHandover(words), words };
}

test("the judge takes a file that is read, and the writer knows it at its next write", () => {
  const { writer, judge } = handovers();
  expect(writer.beginWrite()).toBe(true);
  writer.endWrite();
  expect(judge.take(isRead)).toBe(7);
  expect(judge.take(isRead)).toBeUndefined();
  expect(writer.beginWrite()).toBe(false);
  writer.endWrite();
  expect(writer.beginWrite()).toBe(true);
});

test("a file is not taken when it is being written, is not read to its end, or does not exist", () => {
  const { writer, judge } = handovers();
  writer.beginWrite();
  expect(judge.take(isRead)).toBeUndefined();
  writer.endWrite();
  expect(judge.take(isUnread)).toBeUndefined();
  expect(handovers(-1).judge.take(isRead)).toBeUndefined();
});

test("a write that begins and ends after the file was found to be read keeps it", () => {
  const { writer, judge } = handovers();
  const written = judge.take(() => {
    writer.beginWrite();
    writer.endWrite();
    return true;
  });
  expect(written).toBeUndefined();
  expect(writer.beginWrite()).toBe(true);
});
