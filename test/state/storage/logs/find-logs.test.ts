import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { importDepthMax, findLogs } from "#state/storage/logs/find-logs.ts";
import type { LogFolder } from "#history/imports/importer.ts";
import { Folder } from "../../../support/folder.ts";

const makeLocation = (folder: string, key?: LogFolder["makeKey"]): LogFolder => ({
  folder,
  detectForm: (path) => (path.endsWith(".jsonl") ? "lines" : undefined),
  ...(key ? { makeKey: key } : {}),
});

test("files are found at any depth, and symbolic links are not followed", () => {
  using folder = new Folder();
  mkdirSync(folder.at("a", "b"), { recursive: true });
  folder.file("a/b/1.jsonl", "");
  folder.file("a/2.jsonl", "");
  folder.file("a/3.json", "");
  symlinkSync(folder.at("a"), folder.at("a", "loop"));
  symlinkSync(folder.at("a", "2.jsonl"), folder.at("a", "link.jsonl"));
  const { files, faults } = findLogs([
    makeLocation(folder.path),
    makeLocation(folder.at("missing")),
  ]);
  expect(files.map(({ path }) => path)).toEqual(["a/2.jsonl", "a/b/1.jsonl"]);
  expect(files[0]?.file).toBe(folder.at("a", "2.jsonl"));
  expect(faults).toEqual([]);
});

const key = (path: string): string => path;

test("of files with the same key, that of the first place is read", () => {
  using folder = new Folder();
  for (const name of ["one", "two"]) {
    mkdirSync(folder.at(name));
    folder.file(`${name}/x.jsonl`, "");
  }
  const { files } = findLogs([
    makeLocation(folder.at("two"), key),
    makeLocation(folder.at("one"), key),
  ]);
  expect(files.map(({ file }) => file)).toEqual([folder.at("two", "x.jsonl")]);
});

test("folders beyond the depth are not searched", () => {
  using folder = new Folder();
  const deep = Array.from({ length: importDepthMax + 1 }, () => "d");
  mkdirSync(folder.at(...deep), { recursive: true });
  folder.file([...deep, "no.jsonl"].join("/"), "");
  folder.file([...deep.slice(1), "yes.jsonl"].join("/"), "");
  const { files } = findLogs([makeLocation(folder.path)]);
  expect(files.map(({ path }) => path.slice(-9))).toEqual(["yes.jsonl"]);
});

test("a folder that cannot be read is a fault, unless the user may read anything", () => {
  using folder = new Folder();
  mkdirSync(folder.at("closed"));
  chmodSync(folder.at("closed"), 0);
  const { faults } = findLogs([makeLocation(folder.path)]);
  const isRoot = process.getuid?.() === 0;
  expect(faults).toEqual(isRoot ? [] : [{ path: folder.at("closed"), fault: "EACCES" }]);
  chmodSync(folder.at("closed"), 0o700);
});

test("folders that a place does not enter are not searched", () => {
  using folder = new Folder();
  for (const name of ["chats", "extensions"]) {
    mkdirSync(folder.at(name));
    folder.file(`${name}/1.jsonl`, "");
  }
  const location = { ...makeLocation(folder.path), mayEnter: (path: string) => path === "chats" };
  expect(findLogs([location]).files.map(({ path }) => path)).toEqual(["chats/1.jsonl"]);
});
