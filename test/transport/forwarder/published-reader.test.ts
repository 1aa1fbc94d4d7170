import { expect, test } from "bun:test";
import { fstatSync, ftruncateSync } from "node:fs";
import { spoolKeptBytesMax } from "#transport/forwarder/published-reader.ts";
import { wordIndex, ringBytes } from "#transport/forwarder/shared-memory.ts";
import { Folder, thrownBy } from "../../support/folder.ts";
import { hasThread, publishing } from "../../support/forwarder.ts";
import { forwardedReadBytesMax } from "#kit/os/pipe.ts";

const bytes = new Uint8Array(forwardedReadBytesMax);
const inRing = ringBytes / forwardedReadBytesMax;

test.skipIf(!hasThread)("what is read is a copy: it stays when its room is used again", () => {
  using folder = new Folder();
  const { publish, reader } = publishing(folder.at("spool"));
  publish(true, bytes.fill(1));
  const first = reader.next();
  for (let left = 3 * inRing; left > 0; left -= 1) {
    publish(true, bytes.fill(2));
    reader.next();
  }
  expect(first?.bytes?.every((byte) => byte === 1)).toBe(true);
});

test.skipIf(!hasThread)("a spool that lost its end is an error, not a record", () => {
  using folder = new Folder();
  const { publish, reader, memory } = publishing(folder.at("spool"));
  for (let left = 2 * inRing; left > 0; left -= 1) publish(true, bytes);
  ftruncateSync(Atomics.load(memory.words, wordIndex.spoolFile) - 1, 100);
  const readAll = (): void => {
    while (reader.next());
  };
  expect(thrownBy(readAll)).toBe("the spool is shorter than its records");
});

test.skipIf(!hasThread)(
  "rest: a file that was large and is read is emptied, and the other one written",
  () => {
    using folder = new Folder();
    const { publish, reader, memory } = publishing(folder.at("spool"));
    const spoolFd = (): number => Atomics.load(memory.words, wordIndex.spoolFile) - 1;
    const burst = (size: number): number => {
      for (let left = size; left > 0; left -= forwardedReadBytesMax) publish(true, bytes.fill(3));
      reader.truncateSpool();
      let records = 0;
      while (reader.next()?.bytes?.every((byte) => byte === 3)) records += 1;
      return records;
    };
    expect(burst(4 * ringBytes)).toBe(4 * inRing);
    reader.truncateSpool();
    expect(fstatSync(spoolFd()).nlink).toBe(0);
    const large = spoolKeptBytesMax + 3 * ringBytes;
    expect(burst(large)).toBe(large / forwardedReadBytesMax);
    const fd = spoolFd();
    expect(fstatSync(fd).size).toBeGreaterThan(spoolKeptBytesMax);
    expect(reader.truncateSpool()).toBe(true);
    expect(fstatSync(fd).size).toBe(0);
    expect(burst(2 * ringBytes)).toBe(2 * inRing);
    expect(spoolFd()).not.toBe(fd);
    expect([fstatSync(fd).size, fstatSync(spoolFd()).nlink]).toEqual([0, 0]);
  },
);
