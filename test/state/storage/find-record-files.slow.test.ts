import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { findRecordSources, recordFilesMax } from "#state/storage/find-record-files.ts";
import { Folder } from "../../support/folder.ts";

test(`${recordFilesMax} files are read, further ones are counted`, async () => {
  using folder = new Folder();
  for (let at = 0; at < recordFilesMax; at += 1) {
    if (at % 1000 === 0) mkdirSync(folder.at(String(at / 1000)));
    writeFileSync(folder.at(String(Math.floor(at / 1000)), `${at}.ndjson`), "");
  }
  expect((await findRecordSources([folder.path])).leftOut).toBe(0);
  folder.file("a.ndjson", "");
  folder.file("b.ndjson", "");
  const { sources, leftOut } = await findRecordSources([folder.path]);
  expect([sources.length, leftOut]).toEqual([recordFilesMax, 2]);
});
