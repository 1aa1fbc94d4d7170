import { expect, test } from "bun:test";
import { closeSync, writeSync } from "node:fs";
import { pollEvent, PollSet } from "#transport/forwarder/publisher.ts";
import { openPipe } from "#kit/os/pipe.ts";
import { loadC } from "#kit/os/c-library.ts";
import { hasThread } from "../../support/forwarder.ts";

test.skipIf(!hasThread)("PollSet: only what is waited for, and the other end's close", () => {
  const pipe = openPipe("linux");
  if (!pipe) throw new Error("no pipe");
  const polled = new PollSet(loadC(), 2);
  const wait = (readEvents: number, writeEvents: number): number[] => {
    polled.set(0, pipe.readEnd, readEvents);
    polled.set(1, pipe.writeEnd, writeEvents);
    polled.wait(0);
    return [polled.readResults(0), polled.readResults(1)];
  };
  const { readable, writable, over } = pollEvent;
  expect(wait(readable, writable)).toEqual([0, writable]);
  writeSync(pipe.writeEnd, "x");
  expect(wait(readable, 0)).toEqual([readable, 0]);
  expect(wait(0, 0)).toEqual([0, 0]);
  closeSync(pipe.writeEnd);
  expect((wait(readable, 0)[0] ?? 0) & over).not.toBe(0);
  closeSync(pipe.readEnd);
});
