import { expect, test } from "bun:test";
import { printReport } from "#commands/check/print-report.ts";
import { readFileSync } from "node:fs";
import { fullReport } from "../../support/checks.ts";
import { fakeIo } from "../../support/fake-io.ts";
import { Folder } from "../../support/folder.ts";

const startedAt = new Date("2026-07-28T09:00:00Z");

test("printReport prints the format of the options, with the time of the start", () => {
  const { io, stdout } = fakeIo();
  printReport(fullReport(), { reports: [{ format: "junit", file: undefined }], startedAt }, io);
  expect(stdout()).toContain('timestamp="2026-07-28T09:00:00"');
});

test("printReport prints for GitHub Actions there, and appends to the step's summary", () => {
  using folder = new Folder();
  const summary = folder.file("summary.md", "before\n");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { io, stdout } = fakeIo({ env });
  printReport(fullReport(), { reports: [], startedAt }, io);
  expect(stdout()).toStartWith("::stop-commands::");
  const text = readFileSync(summary, "utf8");
  expect(text).toStartWith("before\n");
  expect(text).toContain("| call |");
});

test("printReport reports a step summary that cannot be written", () => {
  using folder = new Folder();
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: folder.path };
  const { io, stderr } = fakeIo({ env });
  printReport(fullReport(), { reports: [], startedAt }, io);
  expect(stderr()).toContain("Cannot append to the step summary");
});

test("printReport writes every other report to its file, without colour", () => {
  using folder = new Folder();
  const { io, stdout } = fakeIo();
  const xml = folder.file("report.xml", "");
  const table = folder.file("report.txt", "");
  const reports = [
    { format: "junit", file: xml },
    { format: "table", file: table },
  ] as const;
  printReport(fullReport(), { reports, startedAt }, io);
  expect(readFileSync(xml, "utf8")).toStartWith("<?xml");
  expect(readFileSync(table, "utf8")).toBe(stdout());
});
