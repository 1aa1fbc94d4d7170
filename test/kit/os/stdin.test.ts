import { expect, test } from "bun:test";
import { closeSync, openSync, readSync } from "node:fs";
import { openStdin, rejectDirectoryAsStdin } from "#kit/os/standard-streams.ts";
import { Folder } from "../../support/folder.ts";

test("a stdin that is not a directory is accepted", () => {
  expect(rejectDirectoryAsStdin).not.toThrow();
});

test("a file is read from its position on, which moves along", async () => {
  using folder = new Folder();
  const fd = openSync(folder.file("input", "head\nL1\nL2\n"), "r");
  readSync(fd, Buffer.alloc(5));
  const reader = openStdin(fd);
  const { value = new Uint8Array() } = await reader.read();
  expect(new TextDecoder().decode(value)).toBe("L1\nL2\n");
  expect(await reader.read()).toEqual({});
  await reader.cancel();
  expect(readSync(fd, Buffer.alloc(5))).toBe(0);
  closeSync(fd);
});
