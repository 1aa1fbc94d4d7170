import { expect, test } from "bun:test";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { closePipe, isSocket, openPipe } from "#os/pipe.ts";
import { socketPair } from "../support/socket-pair.ts";

test.skipIf(process.platform !== "linux")("openPipe: a pipe that no other program inherits", () => {
  const pipe = openPipe(process.platform);
  if (!pipe) throw new Error("no pipe");
  const { readEnd, writeEnd } = pipe;
  expect([readEnd, writeEnd].map((end) => fstatSync(end).isFIFO())).toEqual([true, true]);
  writeSync(writeEnd, "through");
  const bytes = Buffer.alloc(20);
  expect(bytes.toString("utf8", 0, readSync(readEnd, bytes))).toBe("through");
  const inherited = Bun.spawnSync(["sh", "-c", `ls /dev/fd/${readEnd} /dev/fd/${writeEnd}`]);
  expect(inherited.stdout.toString()).toBe("");
  closePipe(pipe);
  closePipe(pipe);
  expect(() => fstatSync(readEnd)).toThrow("EBADF");
});

test("openPipe: undefined on another system, and without its library", () => {
  expect(openPipe("linux", "libno-such-library.so.6")).toBeUndefined();
  for (const platform of ["darwin", "win32", "freebsd"]) expect(openPipe(platform)).toBeUndefined();
});

test("isSocket", () => {
  const { ours, theirs } = socketPair();
  const file = openSync("/dev/null", "r");
  expect([ours, theirs, file, 9_999].map(isSocket)).toEqual([true, true, false, false]);
  for (const fd of [ours, theirs, file]) closeSync(fd);
});
