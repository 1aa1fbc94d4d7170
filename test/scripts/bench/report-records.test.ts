import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isRecord } from "#storage/is-record.ts";
import { recordSourcesBelow } from "#storage/record-files.ts";
import { makeRecords } from "../../../scripts/bench/report-records.ts";
import { Folder } from "../../support/folder.ts";

test("made records are records, some 365 kB a session over thirty days", () => {
  using folder = new Folder();
  const { bytes } = makeRecords(folder.path, 4);
  expect(bytes / 4).toBeGreaterThan(340_000);
  expect(bytes / 4).toBeLessThan(390_000);
  const files = recordSourcesBelow(folder.path, 0).sources.map(({ file }) => file);
  expect(files.map((file) => file.slice(folder.path.length + 1))).toEqual([
    "2026-10-24/0.ndjson",
    "2026-10-31/1.ndjson",
    "2026-11-08/2.ndjson",
    "2026-11-15/3.ndjson",
  ]);
  const lines = files.flatMap((file) => readFileSync(file, "utf8").trimEnd().split("\n"));
  expect(lines.filter((line) => !isRecord(JSON.parse(line)))).toEqual([]);
  const calls = lines.filter((line) => line.includes('"type":"call"'));
  expect(calls.length).toBe(4 * 330);
});
