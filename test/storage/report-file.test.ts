import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeReportFile } from "#storage/report-file.ts";
import { Folder } from "../support/folder.ts";

test("writeReportFile replaces a report as a whole", () => {
  using folder = new Folder();
  const file = folder.file("report.xml", "an older and longer report");
  writeReportFile(file, "<new/>");
  expect(readFileSync(file, "utf8")).toBe("<new/>");
});

test("writeReportFile names a file that cannot be written", () => {
  using folder = new Folder();
  const file = join(folder.path, "absent", "report.xml");
  expect(() => writeReportFile(file, "x")).toThrow(`Cannot write "${file}"`);
});
