import { expect, test } from "bun:test";
import { findLocks, recountBase } from "#commands/lock/find-lock.ts";
import { riskThresholdsDefault } from "#tokens/cost/risk.ts";
import { formatLock } from "#lock/lock.ts";
import { sha256 } from "#kit/os/hash.ts";
import { Folder } from "../../support/folder.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";
import { makeCountingReader } from "../../support/readers.ts";

const lock = lockWith([lockedDefinition({ name: "t", inputSchema: {} })]);
const missing = (file: string): string => `no ${file}`;

test("findLocks requires the lock, unless it is written or not used", async () => {
  using folder = new Folder();
  const none = { file: `${folder.path}/none.lock`, base: undefined };
  await expect(findLocks(none, "required", missing)).rejects.toThrow(`no ${none.file}`);
  expect(await findLocks(none, "optional", missing)).toEqual({
    locked: undefined,
    base: undefined,
  });
  const file = folder.file("a.lock", formatLock(lock));
  expect((await findLocks({ file, base: undefined }, "required", missing)).locked).toEqual(lock);
  expect((await findLocks({ file, base: undefined }, "unused", missing)).locked).toBeUndefined();
});

test("findLocks reports conflict markers, except in a lock that is replaced", async () => {
  using folder = new Folder();
  const text = formatLock(lock);
  const conflict = `<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> other\n`;
  const conflicted = { file: folder.file("c.lock", conflict), base: undefined };
  for (const need of ["required", "optional"] as const) {
    await expect(findLocks(conflicted, need, missing)).rejects.toThrow("lock --force");
  }
  expect((await findLocks(conflicted, "replaceable", missing)).locked).toBeUndefined();
});

test("findLocks calls a missing lock deleted when the base has it", async () => {
  using folder = new Folder();
  const name = folder.file("base.lock", formatLock(lock));
  const file = `${folder.path}/mcp-meter.lock`;
  const base = { name, isFile: true };
  await expect(findLocks({ file, base }, "required", missing)).rejects.toThrow(
    `Cannot find the lock "${file}", which "${name}" has`,
  );
  expect((await findLocks({ file, base }, "optional", missing)).base).toEqual({ name, lock });
});

test("recountBase counts the base's lock as this run counts", () => {
  const terms = { reader: makeCountingReader(), thresholds: riskThresholdsDefault, hash: sha256 };
  const foreign = { ...lock, estimator: "chars3" };
  const { id } = terms.reader.estimator;
  expect(recountBase({ name: "main", lock: foreign }, terms)?.lock?.estimator).toBe(id);
  expect(recountBase({ name: "main", lock: undefined }, terms)?.lock).toBeUndefined();
  expect(recountBase(undefined, terms)).toBeUndefined();
});
