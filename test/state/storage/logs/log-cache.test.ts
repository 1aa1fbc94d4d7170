import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { noFileCounts } from "#history/imports/merge-logs.ts";
import { type KnownLog, LogCache, readIdentity, packLog } from "#state/storage/logs/log-cache.ts";
import { requestLine } from "../../../support/logs.ts";
import { Folder } from "../../../support/folder.ts";

const log: KnownLog = {
  ...packLog({ events: [requestLine({ conversation: "c" })], counts: noFileCounts }),
  identity: "identity",
  bytes: 3,
  digest: "digest",
  resumeAt: 2,
  state: { at: 1 },
};

const options = { key: "secret", build: "1", variant: "codex with tokens" };

const openAt =
  (folder: Folder) =>
  (facts: object = {}) =>
    new LogCache({ ...options, folder: folder.path, ...facts });

function write(folder: Folder, name: string): void {
  const cache = openAt(folder)();
  cache.write(name, log);
  cache.close();
}

const onlyFile = (folder: Folder): string => folder.at(readdirSync(folder.path)[0] ?? "");

test("an entry is read by the same build and variant, and names no log", () => {
  using folder = new Folder();
  const open = openAt(folder);
  write(folder, "/h/log.jsonl");
  expect(open().read("/h/log.jsonl")).toEqual(log);
  expect(open().read("/h/other.jsonl")).toBeUndefined();
  expect(open({ build: "2" }).read("/h/log.jsonl")).toBeUndefined();
  expect(open({ variant: "codex without tokens" }).read("/h/log.jsonl")).toBeUndefined();
  expect(open({ key: "other" }).read("/h/log.jsonl")).toBeUndefined();
  const file = onlyFile(folder);
  expect(file).toMatch(/\/[\da-f]{64}\.logs$/);
  expect(readFileSync(file, "latin1")).not.toContain("/h/");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("the last entry of a log counts", () => {
  using folder = new Folder();
  const open = openAt(folder);
  const cache = open();
  cache.write("x", log);
  cache.write("y", log);
  cache.write("x", { ...log, bytes: 9 });
  cache.close();
  expect([open().read("x")?.bytes, open().read("y")?.bytes]).toEqual([9, 3]);
});

test("an entry that is damaged at any byte is not used, and the others are", () => {
  using folder = new Folder();
  const open = openAt(folder);
  write(folder, "x");
  const whole = readFileSync(onlyFile(folder));
  write(folder, "y");
  const both = readFileSync(onlyFile(folder));
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(both);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(onlyFile(folder), damaged);
    expect(open().read("x")).toBeUndefined();
    writeFileSync(onlyFile(folder), both.subarray(0, whole.length + at));
    expect([open().read("x"), open().read("y")]).toEqual([log, undefined]);
  }
});

const sizeOf = (folder: Folder): number => statSync(onlyFile(folder)).size;

describe("close", () => {
  test("drops older entries of the same logs once they are most of the file", () => {
    using folder = new Folder();
    write(folder, "x");
    const one = sizeOf(folder);
    for (let times = 0; times < 3; times += 1) write(folder, "x");
    expect(sizeOf(folder)).toBe(one);
    expect(openAt(folder)().read("x")).toEqual(log);
  });

  test("drops entries of logs that were not read only above the limit", () => {
    using folder = new Folder();
    for (const name of ["x", "y"]) write(folder, name);
    const both = sizeOf(folder);
    const cache = openAt(folder)();
    cache.read("y");
    cache.close();
    expect(sizeOf(folder)).toBe(both);
    cache.close(1);
    expect([openAt(folder)().read("x"), openAt(folder)().read("y")]).toEqual([undefined, log]);
  });

  test("repairs a file with a torn end, so that later entries are found", () => {
    using folder = new Folder();
    write(folder, "x");
    appendFileSync(onlyFile(folder), "{torn");
    const cache = openAt(folder)();
    expect(cache.read("x")).toEqual(log);
    cache.close();
    write(folder, "y");
    expect(openAt(folder)().read("y")).toEqual(log);
  });

  test("writes the entries that wait, as a write of many bytes does", () => {
    using folder = new Folder();
    const cache = openAt(folder)();
    cache.write("x", { ...log, state: "s".repeat(2 * 1024 * 1024) });
    expect(openAt(folder)().read("x")?.bytes).toBe(log.bytes);
    cache.write("y", log);
    expect(openAt(folder)().read("y")).toBeUndefined();
    cache.close();
    expect(openAt(folder)().read("y")).toEqual(log);
  });

  test("does nothing where there is no folder", () => {
    using folder = new Folder();
    const cache = new LogCache({ ...options, folder: folder.at("missing") });
    cache.close();
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

describe("readIdentity", () => {
  test("is another one after any change, also when its time is set back", () => {
    using folder = new Folder();
    const file = folder.file("x", "12");
    const before = readIdentity(file);
    expect(readIdentity(file)).toBe(before ?? "");
    const { atime, mtime } = statSync(file);
    writeFileSync(file, "34");
    utimesSync(file, atime, mtime);
    const rewritten = readIdentity(file);
    expect(rewritten).not.toBe(before);
    appendFileSync(file, "5");
    expect(readIdentity(file)).not.toBe(rewritten);
  });

  test("is undefined without a file", () => {
    using folder = new Folder();
    expect(readIdentity(folder.path)).toBeUndefined();
    expect(readIdentity(folder.at("x"))).toBeUndefined();
  });
});
