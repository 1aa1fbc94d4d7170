import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, readSync, writeSync } from "node:fs";
import { reopen } from "#transport/proxy/thread-forwarding.ts";
import { openPipe } from "#kit/os/pipe.ts";
import { hasThread } from "../../support/forwarder.ts";

function flags(fd: number): string {
  return readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").match(/flags:\s+(\d+)/)?.[1] ?? "";
}

test.skipIf(!hasThread)(
  "reopen: the flags of a shared pipe stay as they are, and only pipes and sockets are taken",
  () => {
    const pipe = openPipe("linux");
    if (!pipe) throw new Error("no pipe");
    const before = flags(pipe.writeEnd);
    const ends = reopen(pipe.writeEnd, "write");
    expect(flags(pipe.writeEnd)).toBe(before);
    expect(ends?.ownFd).not.toBe(pipe.writeEnd);
    expect(flags(ends?.ownFd ?? -1)).not.toBe(before);
    expect(reopen(9_999, "read")).toBeUndefined();
    const device = openSync("/dev/null", "r");
    expect(reopen(device, "read")).toBeUndefined();
    for (const fd of [device, pipe.readEnd, ends?.ownFd ?? -1]) closeSync(fd);
    closeSync(pipe.writeEnd);
  },
);

test.skipIf(!hasThread)("reopen: what was written before is read by the new descriptor", () => {
  const pipe = openPipe("linux");
  if (!pipe) throw new Error("no pipe");
  writeSync(pipe.writeEnd, "early");
  closeSync(pipe.writeEnd);
  const ends = reopen(pipe.readEnd, "read");
  const buffer = new Uint8Array(10);
  expect(readSync(ends?.ownFd ?? -1, buffer, 0, 10, null)).toBe(5);
  expect(readSync(ends?.ownFd ?? -1, buffer, 0, 10, null)).toBe(0);
  for (const fd of [pipe.readEnd, ends?.ownFd ?? -1]) closeSync(fd);
});
