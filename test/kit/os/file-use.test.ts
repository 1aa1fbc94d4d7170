import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { canUseAlone, markInUse, tryUseAlone } from "#kit/os/c-library.ts";
import { Folder } from "../../support/folder.ts";

test("a file in use cannot be taken until its last user closes it", () => {
  using folder = new Folder();
  const path = folder.file("f", "");
  const [first, second, taker] = [openSync(path, "r+"), openSync(path, "r"), openSync(path, "r")];
  markInUse(first);
  markInUse(second);
  expect(tryUseAlone(taker)).toBe(false);
  closeSync(first);
  expect(tryUseAlone(taker)).toBe(false);
  closeSync(second);
  expect(tryUseAlone(taker)).toBe(true);
  closeSync(taker);
});

test("without the library no file is taken", () => {
  using folder = new Folder();
  const fd = openSync(folder.file("f", ""), "r");
  markInUse(fd, "libnone.so.1");
  expect(tryUseAlone(fd, "libnone.so.1")).toBe(false);
  expect([canUseAlone(), canUseAlone("libnone.so.1")]).toEqual([true, false]);
  closeSync(fd);
});
