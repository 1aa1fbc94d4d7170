import { expect, test } from "bun:test";
import { utimesSync } from "node:fs";
import { surveyLogs } from "#state/storage/logs/find-logs.ts";
import { Folder } from "../../../support/folder.ts";

const form = (path: string) => (path.endsWith(".jsonl") ? "lines" : undefined);

test("each folder has its files, their size and the times of their changes", () => {
  using folder = new Folder();
  utimesSync(folder.file("a.jsonl", "12345"), 1000, 1000);
  utimesSync(folder.file("b.jsonl", "123"), 3000, 3000);
  folder.file("c.txt", "1");
  const missing = folder.at("missing");
  const survey = surveyLogs([
    { folder: folder.path, detectForm: form },
    { folder: missing, detectForm: form },
  ]);
  expect(survey).toEqual([
    {
      folder: folder.path,
      files: 2,
      bytes: 8,
      oldestMs: 1_000_000,
      newestMs: 3_000_000,
      faults: [],
    },
    { folder: missing, files: 0, bytes: 0, oldestMs: null, newestMs: null, faults: [] },
  ]);
});
