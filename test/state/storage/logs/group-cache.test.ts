import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { noFileCounts, mergeLogs } from "#history/imports/merge-logs.ts";
import { reportClient } from "#history/imports/import-report.ts";
import {
  GroupCache,
  groupCacheBytesMax,
  type LogGroup,
  readIdentity,
} from "#state/storage/logs/group-cache.ts";
import { always, requestLine } from "../../../support/logs.ts";
import { Folder } from "../../../support/folder.ts";

const logs = mergeLogs([{ events: [requestLine()], counts: noFileCounts }]);

function makeHome(folder: Folder) {
  const files = ["a", "b", "c"].map((name) => ({
    file: folder.file(`${name}.jsonl`, name),
    path: `${name}.jsonl`,
    form: "lines" as const,
    group: name,
  }));
  const open = (facts: object = {}, chosen = files) =>
    new GroupCache(chosen, {
      file: folder.at("cache/claude-code.groups"),
      key: "secret",
      variant: "build 1",
      hasRecords: () => true,
      ...facts,
    });
  const [a, b, c] = files;
  if (!a || !b || !c) throw new Error("no files");
  return { open, groups: [makeGroup([a, b]), makeGroup([c])], files };
}

function makeGroup(files: LogGroup["files"]): LogGroup {
  return {
    files,
    ties: { ids: Uint32Array.of(1, 2 ** 32 - 1), beganMs: [5], totalsBeganMs: [] },
    report: reportClient("claude-code", logs, { range: always, knownServers: ["docs"] }),
    firstCallMs: 7,
    conversations: [{ id: `id of ${files.length}`, lastMs: 9, bytes: 3 }],
  };
}

test("groups are read as they were written, by the same build and key, and no log is named", () => {
  using folder = new Folder();
  const { open, groups } = makeHome(folder);
  expect(open().read()).toEqual([]);
  open().write(groups);
  expect(open().read()).toEqual(groups);
  expect(open({ variant: "build 2" }).read()).toEqual([]);
  expect(open({ key: "other" }).read()).toEqual([]);
  const file = folder.at("cache/claude-code.groups");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, "latin1")).not.toContain("jsonl");
});

const isFirst = ({ id }: { readonly id: string }) => id === "id of 1";

describe("a group is read again", () => {
  test("if one of its logs has changed, is gone, or is not searched", () => {
    using folder = new Folder();
    const { open, groups, files } = makeHome(folder);
    open().write(groups);
    const second = groups.slice(1);
    expect(open({}, files.slice(1)).read()).toEqual(second);
    const { atime, mtime } = statSync(folder.at("b.jsonl"));
    writeFileSync(folder.at("b.jsonl"), "x");
    utimesSync(folder.at("b.jsonl"), atime, mtime);
    expect(open().read()).toEqual(second);
    rmSync(folder.at("c.jsonl"));
    expect(open().read()).toEqual([]);
  });

  test("if its records are gone", () => {
    using folder = new Folder();
    const { open, groups } = makeHome(folder);
    open().write(groups);
    expect(open({ hasRecords: isFirst }).read()).toEqual(groups.slice(1));
  });

  test("if a log changed while it was read", () => {
    using folder = new Folder();
    const { open, groups } = makeHome(folder);
    const cache = open();
    writeFileSync(folder.at("c.jsonl"), "cc");
    cache.write(groups);
    expect(open().read()).toEqual(groups.slice(0, 1));
  });

  test("if it is of a database, whose changes may be elsewhere", () => {
    using folder = new Folder();
    const { open, groups, files } = makeHome(folder);
    const stored = files.map((file) => ({ ...file, form: "database" as const }));
    open({}, [...stored, ...files].slice(0, 3) as never).write(groups);
    expect(open().read()).toEqual([]);
  });
});

test("a cache with a changed byte, or beyond the limit, has no group", () => {
  using folder = new Folder();
  const { open, groups } = makeHome(folder);
  open().write(groups);
  const file = folder.at("cache/claude-code.groups");
  const whole = readFileSync(file);
  for (let at = 0; at < whole.length; at += 29) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(file, damaged);
    expect(open().read()).toEqual([]);
    writeFileSync(file, whole.subarray(0, at));
    expect(open().read()).toEqual([]);
  }
  writeFileSync(file, whole);
  expect(open().read()).toEqual(groups);
  writeFileSync(file, Buffer.alloc(groupCacheBytesMax + 1));
  expect(open().read()).toEqual([]);
});

test("a folder that cannot be written costs only time", () => {
  using folder = new Folder();
  const { open, groups } = makeHome(folder);
  folder.file("cache", "");
  open().write(groups);
  expect(open().read()).toEqual([]);
});

test("an identity changes with the file, and there is none without one", () => {
  using folder = new Folder();
  const file = folder.file("x", "1");
  const first = readIdentity(file);
  expect(readIdentity(file)).toBe(first ?? "");
  writeFileSync(file, "2");
  expect(readIdentity(file)).not.toBe(first);
  expect(readIdentity(folder.path)).toBeUndefined();
  expect(readIdentity(folder.at("none"))).toBeUndefined();
});
