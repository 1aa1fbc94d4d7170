import { expect, test } from "bun:test";
import { ftruncateSync } from "node:fs";
import { forwardedReadBytesMax, ringBytes } from "#limits.ts";
import { word } from "#forwarder/shared-memory.ts";
import { Folder, thrownBy } from "../support/folder.ts";
import { hasThread, publishing } from "../support/forwarder.ts";

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
  ftruncateSync(Atomics.load(memory.words, word.spoolFile) - 1, 100);
  const readAll = (): void => {
    while (reader.next());
  };
  expect(thrownBy(readAll)).toBe("the spool is shorter than its records");
});
