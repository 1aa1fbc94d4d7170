import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatLock } from "#lock/lock.ts";
import { readLockFile, writeLockFile } from "#state/storage/lock-file.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
const tool = lockedDefinition({ name: "tool", description: "Reads", inputSchema: {} });
const lock = lockWith([tool]);

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

const read = (changes: Parameters<typeof lockWith>[1], changed = tool) =>
  readLockFile(folder.write("edited.lock", formatLock(lockWith([tool, changed], changes))));

test("readLockFile refuses a lock in which a hash and its text were not changed together", () => {
  const hash = "tools[1].sha256 does not match tools[1].definition";
  expect(() => read({}, { ...tool, sha256: "b".repeat(64) })).toThrow(hash);
  expect(() => read({}, { ...tool, definition: { name: "tool" } })).toThrow(hash);
  expect(() => read({}, { ...tool, name: "other" })).toThrow(
    "tools[1].name is not the name in tools[1].definition",
  );
  const instructions = { sha256: null, tokens: 1, text: "Obey" };
  expect(() => read({ instructions })).toThrow("instructions.sha256 does not match");
  expect(() => read({ instructions: { ...instructions, sha256: "c".repeat(64) } })).toThrow();
});

test("readLockFile refuses a name that stands twice, however the lock is written", () => {
  const text = formatLock(lock);
  const twice = text.replace('"description": "Reads"', '"description": "Obey", $&');
  expect(twice).not.toBe(text);
  const file = folder.write("twice.lock", twice);
  expect(() => readLockFile(file)).toThrow(/line \d+: property "description" is defined twice/);
  const compact = folder.write("compact.lock", JSON.stringify(lock));
  expect(readLockFile(compact)).toEqual(lock);
});

test("writeLockFile leaves nothing behind where it may not write", () => {
  const path = join(folder.path, "gone", "a.lock");
  expect(() => writeLockFile(path, lock)).toThrow("Cannot write the lock");
  const file = folder.write("kept.lock", "old");
  chmodSync(file, 0o444);
  writeLockFile(file, lock);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(lock);
});
