import { describe, expect, test } from "bun:test";
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  folderLevelsMax,
  findRecordSources,
  findRecordSourcesBelow,
} from "#state/storage/find-record-files.ts";
import { Folder, rejectionOf } from "../../support/folder.ts";

function sessions(): Folder {
  const folder = new Folder();
  for (const name of ["b/2.ndjson", "b/1.ndjson", "a/3.ndjson", "a/notes.txt", "0.ndjson"]) {
    mkdirSync(join(folder.at(name), ".."), { recursive: true });
    folder.file(name, "");
  }
  return folder;
}

async function found(folder: Folder, ...operands: readonly string[]): Promise<string[]> {
  const { sources, leftOut } = await findRecordSources(operands);
  expect(leftOut).toBe(0);
  return sources.map(({ file }) => file.replace(`${folder.path}/`, ""));
}

describe("findRecordSources", () => {
  const names = ["0.ndjson", "a/3.ndjson", "b/1.ndjson", "b/2.ndjson"];

  test("a folder is its .ndjson files at any depth, sorted", async () => {
    using folder = sessions();
    expect(await found(folder, folder.path)).toEqual(names);
  });

  test("a file is read once, as file, folder, glob and link", async () => {
    using folder = sessions();
    linkSync(folder.at("0.ndjson"), folder.at("b/linked.ndjson"));
    symlinkSync(folder.at("0.ndjson"), folder.at("b/soft.ndjson"));
    symlinkSync(folder.path, folder.at("b/circle"));
    const operands = [folder.at("*/*.ndjson"), folder.path, folder.at("0.ndjson"), folder.path];
    expect((await found(folder, ...operands)).length).toBe(names.length);
  });

  test("a glob stands for files, and - is stdin", async () => {
    using folder = sessions();
    expect(await found(folder, "-", folder.at("[ab]/*.ndjson"), "-")).toEqual([
      "-",
      ...names.slice(1),
    ]);
  });

  test("a named file must be readable, one of a folder need not", async () => {
    using folder = sessions();
    const { sources } = await findRecordSources([folder.at("a/notes.txt"), folder.at("a")]);
    expect(sources.map(({ isNamed }) => isNamed)).toEqual([true, false]);
  });

  test("a name and a glob without a file are mistakes", async () => {
    using folder = sessions();
    expect(await rejectionOf(findRecordSources([folder.at("no")]))).toContain(
      "no such file or directory",
    );
    expect(await rejectionOf(findRecordSources([folder.at("no*")]))).toContain("no file matches");
  });

  test(`${folderLevelsMax} folders inside each other are searched`, async () => {
    using folder = new Folder();
    const deep = Array.from({ length: folderLevelsMax }, (_, at) => `d${at}`);
    mkdirSync(folder.at(...deep), { recursive: true });
    const [last, tooDeep] = [deep.slice(1).join("/"), deep.join("/")].map((path) =>
      join(path, "r.ndjson"),
    );
    mkdirSync(join(folder.at(last ?? ""), ".."), { recursive: true });
    writeFileSync(folder.at(last ?? ""), "");
    writeFileSync(folder.at(tooDeep ?? ""), "");
    expect(await found(folder, folder.path)).toEqual([last ?? ""]);
  });
});

describe("findRecordSourcesBelow", () => {
  test("takes files that were written since a time", () => {
    using folder = sessions();
    utimesSync(folder.at("a/3.ndjson"), 1_000, 1_000);
    const { sources } = findRecordSourcesBelow(folder.path, 1_000_001);
    expect(sources.length).toBe(3);
    expect(findRecordSourcesBelow(folder.path, 1_000_000).sources.length).toBe(4);
  });

  test("a folder that does not exist has none", () => {
    using folder = sessions();
    expect(findRecordSourcesBelow(folder.at("no"), 0)).toEqual({ sources: [], leftOut: 0 });
  });
});
