import { expect, test } from "bun:test";
import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { closePipe, openPipe } from "#kit/os/pipe.ts";
import { makeNonBlockingWrite } from "#kit/os/standard-streams.ts";
import { Folder } from "../../support/folder.ts";
import { socketPair } from "../../support/socket-pair.ts";

const isLinux = process.platform === "linux";
const block = new Uint8Array(60_000).fill(120);

// Fills the pipe until the reader takes no more; a blocking writer would never return.
function fill(write: (bytes: Uint8Array) => number): number {
  let total = 0;
  for (;;) {
    try {
      const count = write(block);
      if (count === 0) return total;
      total += count;
    } catch (error) {
      expect(error).toHaveProperty("code", "EAGAIN");
      return total;
    }
  }
}

const flags = (fd: number): string =>
  /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8"))?.[1] ?? "";

test.skipIf(!isLinux)(
  "makeNonBlockingWrite: a pipe is filled without waiting, and keeps its flags",
  () => {
    const pipe = openPipe(process.platform);
    if (!pipe) throw new Error("no pipe");
    const before = flags(pipe.writeEnd);
    const write = makeNonBlockingWrite(pipe.writeEnd);
    expect(fill(write)).toBeGreaterThanOrEqual(60_000);
    readSync(pipe.readEnd, Buffer.alloc(65_536));
    expect(write(Buffer.from("more"))).toBe(4);
    expect(flags(pipe.writeEnd)).toBe(before);
    closePipe(pipe);
  },
);

test.skipIf(!isLinux)("makeNonBlockingWrite: so is a socket, whose lost reader is an error", () => {
  const { ours, theirs } = socketPair();
  const before = flags(theirs);
  const write = makeNonBlockingWrite(theirs);
  expect(fill(write)).toBeGreaterThan(30_000);
  expect(flags(theirs)).toBe(before);
  closeSync(ours);
  expect(() => write(block)).toThrow("EPIPE");
  closeSync(theirs);
});

test("makeNonBlockingWrite: a file is written whole, and so is a pipe where no library is found", () => {
  using folder = new Folder();
  const file = openSync(folder.at("file"), "w");
  expect(makeNonBlockingWrite(file)(block)).toBe(block.length);
  closeSync(file);
  const { ours, theirs } = socketPair();
  expect(makeNonBlockingWrite(theirs, "libno-such-library.so.6")(Buffer.from("text"))).toBe(4);
  for (const fd of [ours, theirs]) closeSync(fd);
});

test("makeNonBlockingWrite: a closed descriptor is an error of the write", () => {
  expect(() => makeNonBlockingWrite(9_999)(block)).toThrow("EBADF");
});
