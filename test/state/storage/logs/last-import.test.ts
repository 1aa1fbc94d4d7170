import { expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { LastImport } from "#state/storage/logs/last-import.ts";
import { Folder } from "../../../support/folder.ts";

type Output = { readonly text: string };

const isOutput = (value: unknown): value is Output =>
  typeof value === "object" && value !== null && "text" in value;

function openAt(folder: Folder, facts: object = {}, logs = ["a.jsonl", "b.db"]) {
  const files = logs.map((path) => ({
    file: folder.at(path),
    path,
    form: path.endsWith("db") ? ("database" as const) : ("lines" as const),
    group: path,
  }));
  const options = {
    folder: folder.at("cache"),
    importsFolder: folder.at("imports"),
    key: "secret",
    build: "1",
    variant: "7d",
    ...facts,
  };
  return new LastImport<Output>(options, [{ client: "codex", files }]);
}

function makeFolder(): Folder {
  const folder = new Folder();
  folder.file("a.jsonl", "{}\n");
  folder.file("b.db", "rows");
  mkdirSync(folder.at("imports/codex"), { recursive: true });
  folder.file("imports/codex/x.ndjson.zst", "records");
  openAt(folder).write({ text: "output" });
  return folder;
}

const read = (folder: Folder, ...facts: [object?, string[]?]) =>
  openAt(folder, ...facts).read(isOutput)?.text;

test("the output of an import is known while nothing changes, to the same build and variant", () => {
  using folder = makeFolder();
  expect([read(folder), read(folder)]).toEqual(["output", "output"]);
  expect(read(folder, { build: "2" })).toBeUndefined();
  expect(read(folder, { variant: "8d" })).toBeUndefined();
  expect(read(folder, { key: "other" })).toBeUndefined();
  expect(read(folder, {}, ["a.jsonl"])).toBeUndefined();
});

test.each<[string, (folder: Folder) => void]>([
  ["a log grows", (folder) => appendFileSync(folder.at("a.jsonl"), "{}\n")],
  ["a log is written anew", (folder) => writeFileSync(folder.at("a.jsonl"), "[]\n")],
  ["a log is removed", (folder) => rmSync(folder.at("a.jsonl"))],
  ["rows wait beside a database", (folder) => folder.file("b.db-wal", "row")],
  ["records are removed", (folder) => rmSync(folder.at("imports/codex/x.ndjson.zst"))],
  ["records are replaced", (folder) => folder.file("imports/codex/x.ndjson.zst", "other")],
  ["records are added", (folder) => folder.file("imports/codex/y.ndjson.zst", "more")],
])("it is not known after %s", (_change, change) => {
  using folder = makeFolder();
  change(folder);
  expect(read(folder)).toBeUndefined();
});

test("what a client writes while its logs are read belongs to the next import", () => {
  using folder = makeFolder();
  const reading = openAt(folder);
  appendFileSync(folder.at("a.jsonl"), "{}\n");
  reading.write({ text: "without the new line" });
  expect(read(folder)).toBeUndefined();
});

test("a file that is damaged at any byte is not used", () => {
  using folder = makeFolder();
  const [name = ""] = readdirSync(folder.at("cache"));
  const whole = readFileSync(folder.at(`cache/${name}`));
  for (let at = 0; at < whole.length; at += 1) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    writeFileSync(folder.at(`cache/${name}`), damaged);
    expect(read(folder)).toBeUndefined();
    writeFileSync(folder.at(`cache/${name}`), whole.subarray(0, at));
    expect(read(folder)).toBeUndefined();
  }
});

test("only the last output is kept, whichever options it had", () => {
  using folder = makeFolder();
  for (const variant of ["24h", "25h"]) openAt(folder, { variant }).write({ text: variant });
  expect(readdirSync(folder.at("cache"))).toEqual(["last-import"]);
  expect([read(folder), read(folder, { variant: "25h" })]).toEqual([undefined, "25h"]);
});
