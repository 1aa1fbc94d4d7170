import { expect, test } from "bun:test";
import { fstatSync, readdirSync, readSync, writeFileSync } from "node:fs";
import { takeAddress, loadC } from "#kit/os/c-library.ts";
import { SpoolFile } from "#transport/forwarder/publisher.ts";
import { Folder } from "../../support/folder.ts";
import { hasThread } from "../../support/forwarder.ts";

const bytes = new TextEncoder().encode("through the file");

test.skipIf(!hasThread)("a private file that has no name, made by the first write", () => {
  using folder = new Folder();
  const file = new SpoolFile(loadC(), folder.at("spool"));
  expect([file.isUsable, readdirSync(folder.path)]).toEqual([true, []]);
  expect(file.write(takeAddress(bytes), bytes.length, 4_096)).toBe(true);
  const { fd = -1 } = file;
  expect(readdirSync(folder.path)).toEqual([]);
  const { mode, size, nlink } = fstatSync(fd);
  expect([mode & 0o777, size, nlink]).toEqual([0o600, 4_096 + bytes.length, 0]);
  const read = new Uint8Array(bytes.length);
  expect(readSync(fd, read, 0, read.length, 4_096)).toBe(bytes.length);
  expect(read).toEqual(bytes);
});

test.skipIf(!hasThread)("swap: the two files take turns, and there is no third", () => {
  using folder = new Folder();
  const file = new SpoolFile(loadC(), folder.at("spool"));
  const fds = Array.from({ length: 4 }, () => {
    const { fd } = file;
    file.swap();
    return fd;
  });
  expect(fds[1]).not.toBe(fds[0]);
  expect(fds.slice(2)).toEqual(fds.slice(0, 2));
});

test.skipIf(!hasThread)(
  "unusable where it cannot be made: no folder, and a file in its place",
  () => {
    using folder = new Folder();
    writeFileSync(folder.at("taken"), "a file of the user");
    for (const name of ["missing/spool", "taken"]) {
      const file = new SpoolFile(loadC(), folder.at(name));
      expect(file.write(takeAddress(bytes), bytes.length, 0)).toBe(false);
      expect([file.isUsable, file.fd]).toEqual([false, undefined]);
    }
    expect(readdirSync(folder.path)).toEqual(["taken"]);
  },
);

test.skipIf(!hasThread)(
  "unusable, and nothing stays open, when the second file cannot be made",
  () => {
    using folder = new Folder();
    const c = loadC();
    const opened: number[] = [];
    const open = (...args: readonly number[]): number => {
      const fd = opened.length === 0 ? c.open(...args) : -1;
      opened.push(fd);
      return fd;
    };
    const file = new SpoolFile({ ...c, open }, folder.at("spool"));
    expect([file.fd, file.isUsable, opened.length]).toEqual([undefined, false, 2]);
    expect(() => fstatSync(opened[0] ?? 0)).toThrow("EBADF");
  },
);

test.skipIf(!hasThread)("unusable for ever after a write that the disk did not take whole", () => {
  using folder = new Folder();
  const c = loadC();
  let taken = bytes.length - 1;
  const file = new SpoolFile({ ...c, pwrite: () => taken }, folder.at("spool"));
  expect(file.write(takeAddress(bytes), bytes.length, 0)).toBe(false);
  taken = bytes.length;
  expect(file.write(takeAddress(bytes), bytes.length, 0)).toBe(false);
  expect(file.isUsable).toBe(false);
});
