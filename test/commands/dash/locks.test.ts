import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { PageLocks, fileCheckIntervalMs } from "#commands/dash/page-data.ts";
import { formatLock } from "#lock/lock.ts";
import { Folder, thrownBy } from "../../support/folder.ts";
import { lockedDefinition, lockWith } from "../../support/locks.ts";

const text = (name: string): string => formatLock(lockWith([lockedDefinition({ name })]));

test("a lock is read again when its file changes, and kept when the file becomes invalid", () => {
  using folder = new Folder();
  const file = folder.file("mcp-meter.lock", text("one"));
  const said: (string | undefined)[] = [];
  const locks = new PageLocks([{ server: "a", file }], (sentence) => void said.push(sentence));
  const names = () => locks.all.map(({ server, lock }) => [server, lock.tools[0]?.name]);
  expect(names()).toEqual([["a", "one"]]);
  const { version } = locks;
  locks.refresh(fileCheckIntervalMs);
  expect(locks.version).toBe(version);
  writeFileSync(file, text("second"));
  locks.refresh(fileCheckIntervalMs + 1);
  expect(names()).toEqual([["a", "one"]]);
  locks.refresh(2 * fileCheckIntervalMs);
  expect(names()).toEqual([["a", "second"]]);
  expect(locks.version).not.toBe(version);
  writeFileSync(file, "no lock at all");
  locks.refresh(4 * fileCheckIntervalMs);
  locks.refresh(6 * fileCheckIntervalMs);
  expect(names()).toEqual([["a", "second"]]);
  expect(said).toEqual([
    undefined,
    expect.stringContaining(`Cannot read the lock "${file}": it is not valid JSON`),
  ]);
  writeFileSync(file, text("third"));
  locks.refresh(8 * fileCheckIntervalMs);
  expect([names(), said.at(-1)]).toEqual([[["a", "third"]], undefined]);
});

const start = (file: string) => () => new PageLocks([{ server: undefined, file }], () => undefined);

test("a file that is missing or not a lock ends the command", () => {
  using folder = new Folder();
  expect(thrownBy(start(folder.at("none")))).toStartWith("Cannot find the lock ");
  expect(thrownBy(start(folder.file("x", "{}")))).toContain("x");
});
