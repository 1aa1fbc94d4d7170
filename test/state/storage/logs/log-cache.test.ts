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
import { type KnownLog, LogCache, readIdentity } from "#state/storage/logs/log-cache.ts";
import { Folder } from "../../../support/folder.ts";

const log: KnownLog = {
  events: [],
  counts: noFileCounts,
  identity: "identity",
  bytes: 3,
  digest: "digest",
  resumeAt: 2,
  state: { at: 1 },
};

const options = { key: "secret", build: "1", variant: "codex with tokens" };

test("an entry is read by the same build and variant, and its name is not that of the file", () => {
  using folder = new Folder();
  const at = (facts: object = {}) => new LogCache({ ...options, folder: folder.path, ...facts });
  at().write("/h/log.jsonl", log);
  expect(at().read("/h/log.jsonl")).toEqual(log);
  expect(at().read("/h/other.jsonl")).toBeUndefined();
  expect(at({ build: "2" }).read("/h/log.jsonl")).toBeUndefined();
  expect(at({ variant: "codex without tokens" }).read("/h/log.jsonl")).toBeUndefined();
  expect(at({ key: "other" }).read("/h/log.jsonl")).toBeUndefined();
  const [name = ""] = readdirSync(folder.path);
  expect(name).toMatch(/^[\da-f]{64}\.json$/);
  expect(readFileSync(folder.at(name), "utf8")).not.toContain("/h/");
  expect(statSync(folder.at(name)).mode & 0o777).toBe(0o600);
});

test("an entry that is damaged is not used", () => {
  using folder = new Folder();
  const cache = new LogCache({ ...options, folder: folder.path });
  cache.write("x", log);
  const [name = ""] = readdirSync(folder.path);
  const text = readFileSync(folder.at(name), "utf8");
  const broken = [
    text.slice(0, -2),
    "",
    "[]",
    // Well-formed, but not what was written.
    text.replace('"at":1', '"at":2'),
    text.replace('"events":[]', '"events":[null]'),
    ...["events", "counts", "identity", "bytes", "digest", "resumeAt"].map((member) =>
      text.replace(`"${member}":`, `"no ${member}":`),
    ),
  ];
  for (const wrong of broken) {
    writeFileSync(folder.at(name), wrong);
    expect(cache.read("x")).toBeUndefined();
  }
});

test("the oldest entries beyond the size are removed", () => {
  using folder = new Folder();
  const cache = new LogCache({ ...options, folder: folder.path });
  for (const [index, name] of ["a", "b", "c"].entries()) {
    utimesSync(folder.file(name, "1234567890"), 1000 + index, 1000 + index);
  }
  cache.prune(20);
  expect(readdirSync(folder.path)).toEqual(["b", "c"]);
  cache.prune(19);
  expect(readdirSync(folder.path)).toEqual(["c"]);
  new LogCache({ ...options, folder: folder.at("missing") }).prune();
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
