import { expect, test } from "bun:test";
import { closeSync, fstatSync, openSync, readSync, writeSync } from "node:fs";
import { closePipe, enlargePipe, isNullDevice, openPipe } from "#kit/os/pipe.ts";

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

test.skipIf(process.platform !== "linux")("enlargePipe: a full pipe takes a megabyte", () => {
  const pipe = openPipe(process.platform);
  if (!pipe) throw new Error("no pipe");
  enlargePipe(pipe.writeEnd);
  expect(writeSync(pipe.writeEnd, new Uint8Array(1024 * 1024))).toBe(1024 * 1024);
  closePipe(pipe);
  for (const library of ["libc.so.6", "libno-such-library.so.6"]) {
    for (const fd of [0, 9_999]) expect(() => enlargePipe(fd, library)).not.toThrow();
  }
});

test.skipIf(process.platform !== "linux")("isNullDevice: that device alone", () => {
  const paths = ["/dev/null", "/dev/zero", import.meta.path];
  const fds = paths.map((path) => openSync(path, "r"));
  expect([...fds, 9_999].map(isNullDevice)).toEqual([true, false, false, false]);
  for (const fd of fds) closeSync(fd);
});
