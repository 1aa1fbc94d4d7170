import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { canLock, lockShared, tryLockExclusive } from "#kit/os/file-lock.ts";
import { Folder } from "../../support/folder.ts";

test("a file in use cannot be taken until its last user closes it", () => {
  using folder = new Folder();
  const path = folder.file("f", "");
  const [first, second, taker] = [openSync(path, "r+"), openSync(path, "r"), openSync(path, "r")];
  lockShared(first);
  lockShared(second);
  expect(tryLockExclusive(taker)).toBe(false);
  closeSync(first);
  expect(tryLockExclusive(taker)).toBe(false);
  closeSync(second);
  expect(tryLockExclusive(taker)).toBe(true);
  closeSync(taker);
});

test("without the library no file is taken", () => {
  using folder = new Folder();
  const fd = openSync(folder.file("f", ""), "r");
  lockShared(fd, "libnone.so.1");
  expect(tryLockExclusive(fd, "libnone.so.1")).toBe(false);
  expect([canLock(), canLock("libnone.so.1")]).toEqual([true, false]);
  closeSync(fd);
});
