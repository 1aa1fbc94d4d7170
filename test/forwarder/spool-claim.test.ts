import { expect, test } from "bun:test";
import { SpoolClaim } from "#forwarder/spool-claim.ts";
import { sharedMemory, word } from "#forwarder/shared-memory.ts";

const [isEmpty, isFull] = [() => true, () => false];

/** The two threads' claims on one memory, in which descriptor 7 is the spool's file. */
function claims(fd = 7) {
  const { words } = sharedMemory();
  Atomics.store(words, word.spoolFile, fd + 1);
  return { writer: new SpoolClaim(words), judge: new SpoolClaim(words), words };
}

test("the judge takes an empty file away, and the writer knows it at its next write", () => {
  const { writer, judge } = claims();
  expect(writer.begin()).toBe(true);
  writer.end();
  expect(judge.release(isEmpty)).toBe(7);
  expect(judge.release(isEmpty)).toBeUndefined();
  expect(writer.begin()).toBe(false);
  writer.end();
  expect(writer.begin()).toBe(true);
});

test("a file is not taken away when it is being written, is not empty, or does not exist", () => {
  const { writer, judge } = claims();
  writer.begin();
  expect(judge.release(isEmpty)).toBeUndefined();
  writer.end();
  expect(judge.release(isFull)).toBeUndefined();
  expect(claims(-1).judge.release(isEmpty)).toBeUndefined();
});

test("a write that begins and ends after the file was found empty keeps it", () => {
  const { writer, judge } = claims();
  const written = judge.release(() => {
    writer.begin();
    writer.end();
    return true;
  });
  expect(written).toBeUndefined();
  expect(writer.begin()).toBe(true);
});

test("a file that was taken away is not taken twice when its successor cannot be made", () => {
  const { writer, judge, words } = claims();
  judge.release(isEmpty);
  expect(writer.begin()).toBe(false);
  Atomics.store(words, word.spoolFile, 0);
  writer.end();
  expect(judge.release(isEmpty)).toBeUndefined();
});
