import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readLockFile, writeLockFile } from "#storage/lock-file.ts";
import { lockedTool, lockWith } from "../support/locks.ts";
import { scratch } from "../support/replay.ts";

const folder = scratch();
afterAll(() => folder.remove());
const lock = lockWith([lockedTool()]);

test("writeLockFile writes whole files, and none that says the same", () => {
  const file = join(folder.path, "a.lock");
  expect(writeLockFile(file, lock)).toBe(true);
  expect(readLockFile(file)).toEqual(lock);
  const { mtimeMs } = statSync(file);
  expect(writeLockFile(file, lock)).toBe(false);
  expect(statSync(file).mtimeMs).toBe(mtimeMs);
  expect(readdirSync(folder.path)).toEqual(["a.lock"]);
});

test("readLockFile: no file is no lock, anything else that is no lock throws", () => {
  expect(readLockFile(join(folder.path, "none.lock"))).toBeUndefined();
  mkdirSync(join(folder.path, "folder.lock"));
  expect(() => readLockFile(join(folder.path, "folder.lock"))).toThrow("Cannot read the lock");
  const torn = folder.write("torn.lock", '{"lock_version"');
  expect(() => readLockFile(torn)).toThrow("it is not valid JSON");
  const binary = folder.write("binary.lock", "");
  writeFileSync(binary, Buffer.of(0xff, 0xfe));
  expect(() => readLockFile(binary)).toThrow("not valid UTF-8");
});

test("writeLockFile leaves nothing behind where it may not write", () => {
  const place = join(folder.path, "gone", "a.lock");
  expect(() => writeLockFile(place, lock)).toThrow("Cannot write the lock");
  const file = folder.write("kept.lock", "old");
  chmodSync(file, 0o444);
  writeLockFile(file, lock);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(lock);
});
