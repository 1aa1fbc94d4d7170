import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { hasFlock, markInUse, tryExclusiveFlock } from "#kit/os/c-library.ts";
import { Folder } from "../../support/folder.ts";

test("a file in use cannot be taken until its last user closes it", () => {
  using folder = new Folder();
  const path = folder.file("f", "");
  const [first, second, taker] = [openSync(path, "r+"), openSync(path, "r"), openSync(path, "r")];
  markInUse(first);
  markInUse(second);
  expect(tryExclusiveFlock(taker)).toBe(false);
  closeSync(first);
  expect(tryExclusiveFlock(taker)).toBe(false);
  closeSync(second);
  expect(tryExclusiveFlock(taker)).toBe(true);
  closeSync(taker);
});

test("without the library no file is taken", () => {
  using folder = new Folder();
  const fd = openSync(folder.file("f", ""), "r");
  markInUse(fd, "libnone.so.1");
  expect(tryExclusiveFlock(fd, "libnone.so.1")).toBe(false);
  expect([hasFlock(), hasFlock("libnone.so.1")]).toEqual([true, false]);
  closeSync(fd);
});
