import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import {
  type CheckReportOptions,
  type CheckResult,
  runReportedCheck,
  stepSummaryBytesMax,
} from "#commands/run-reported-check.ts";
import { UserError } from "#kit/errors.ts";
import { buildCheckPrintout } from "#screens/renderers/render-check.ts";
import { failureOf, fullReport } from "../support/checks.ts";
import { fakeIo } from "../support/fake-io.ts";
import { Folder, rejectionOf } from "../support/folder.ts";

const made = async () => buildCheckPrintout(fullReport());
const plain: CheckReportOptions = {
  reports: [],
  output: undefined,
  isWide: false,
  hasVerdict: true,
  lockFile: "a.lock",
  callsFile: null,
  base: undefined,
};
const dead = async (): Promise<never> => {
  throw new UserError("Cannot connect", 3);
};

const broken = async (): Promise<never> => {
  throw new TypeError("ours");
};
const interrupted = async () => ({ interrupted: { signal: "SIGINT" } });

test("runReportedCheck prints the format of the options, with the time of the start, and ends with 1", async () => {
  const { io, stdout } = fakeIo();
  const reports = [{ format: "junit", file: undefined }] as const;
  expect(await runReportedCheck(made, { ...plain, reports }, io)).toEqual({ code: 1 });
  const [, timestamp = ""] = /timestamp="([^"]*)"/.exec(stdout()) ?? [];
  expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
});

test("runReportedCheck prints for GitHub Actions there, and appends the comment to the step's summary", async () => {
  using folder = new Folder();
  const summary = folder.file("summary.md", "before\n");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { io, stdout } = fakeIo({ env });
  await runReportedCheck(made, plain, io);
  expect(stdout()).toStartWith("::stop-commands::");
  const text = readFileSync(summary, "utf8");
  expect(text).toStartWith("before\n<!-- mcp-meter check: ");
  expect(text).toContain("| call |");
  const full = folder.file("full.md", "x".repeat(stepSummaryBytesMax - 400));
  await runReportedCheck(made, plain, fakeIo({ env: { ...env, GITHUB_STEP_SUMMARY: full } }).io);
  expect(readFileSync(full).length).toBeLessThan(stepSummaryBytesMax);
  expect(readFileSync(full, "utf8")).toContain("_Cut here, before");
});

test("runReportedCheck of a lock that is written prints as elsewhere, without a summary", async () => {
  using folder = new Folder();
  const summary = folder.file("summary.md", "");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: summary };
  const { io, stdout } = fakeIo({ env });
  await runReportedCheck(made, { ...plain, hasVerdict: false }, io);
  expect(stdout()).not.toContain("::stop-commands::");
  expect(readFileSync(summary, "utf8")).toBe("");
});

test("runReportedCheck reports a step summary that cannot be written", async () => {
  using folder = new Folder();
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: folder.path };
  const { io, stderr } = fakeIo({ env });
  await runReportedCheck(made, plain, io);
  expect(stderr()).toContain("Cannot append to the step summary");
});

test("runReportedCheck writes every other report to its file, without colour", async () => {
  using folder = new Folder();
  const { io, stdout } = fakeIo();
  const xml = folder.file("report.xml", "");
  const table = folder.file("report.txt", "");
  const reports = [
    { format: "junit", file: xml },
    { format: "table", file: table },
  ] as const;
  await runReportedCheck(made, { ...plain, reports }, io);
  expect(readFileSync(xml, "utf8")).toStartWith("<?xml");
  expect(readFileSync(table, "utf8")).toBe(stdout());
});

type Reports = CheckReportOptions["reports"];

// Reports in a folder that the check removes.
function removable(folder: Folder, ...names: readonly string[]) {
  mkdirSync(folder.at("removed"));
  const reports: Reports = names.map((name) => ({
    format: "sarif",
    file: folder.at("removed", `${name}.sarif`),
  }));
  return { reports, remove: async () => rmSync(folder.at("removed"), { recursive: true }) };
}

async function failedCheck(check: () => Promise<CheckResult>, folder: Folder, more: Reports = []) {
  const { io, stdout, stderr } = fakeIo();
  const xml = folder.file("report.xml", "");
  const two: Reports = [
    { format: "json", file: undefined },
    { format: "junit", file: xml },
  ];
  const options = { ...plain, reports: [...more, ...two] };
  const ended: unknown = await runReportedCheck(check, options, io).catch(
    (error: unknown) => error,
  );
  return { ended, json: JSON.parse(stdout()), xml: readFileSync(xml, "utf8"), stderr: stderr() };
}

test("runReportedCheck of a check that cannot be made writes every report, and throws its reason", async () => {
  using folder = new Folder();
  const removed = removable(folder, "a", "b");
  const check = () => removed.remove().then(dead);
  const { ended, json, xml, stderr } = await failedCheck(check, folder, removed.reports);
  expect(ended).toMatchObject({ message: "Cannot connect", exitCode: 3 });
  expect(json).toEqual(failureOf("Cannot connect"));
  expect(xml).toContain('errors="1"');
  expect(stderr.match(/Cannot write ".*[ab]\.sarif"/g)).toHaveLength(2);
});

test("runReportedCheck writes the reports that it can, and throws the reason for the others", async () => {
  using folder = new Folder();
  const removed = removable(folder, "a", "b");
  const check = () => removed.remove().then(made);
  const { ended, json, xml, stderr } = await failedCheck(check, folder, removed.reports);
  expect(ended).toMatchObject({ message: expect.stringContaining("b.sarif") });
  expect(stderr).toContain("a.sarif");
  expect(json).toMatchObject({ failed: true });
  expect(xml).toStartWith("<?xml");
});

test("runReportedCheck of a check that ended early prints its reports, and throws the reason", async () => {
  using folder = new Folder();
  const failure = new UserError("Stopped at a call", 3);
  const early = async () => ({ ...(await made()), failure });
  const { ended, json, xml, stderr } = await failedCheck(early, folder);
  expect(ended).toBe(failure);
  expect(json).toMatchObject({ failed: true, calls: [{}, {}, {}, {}] });
  expect(xml).toContain('<testsuite name="calls"');
  expect(stderr).toBe("");
});

test("runReportedCheck prints no reports of a fault of ours, and none when it was interrupted", async () => {
  const { io, stdout } = fakeIo();
  const reports = [{ format: "json", file: undefined }] as const;
  const options = { ...plain, reports };
  expect(await runReportedCheck(broken, options, io).catch(String)).toContain("ours");
  expect(await runReportedCheck(interrupted, options, io)).toEqual({ signal: "SIGINT" });
  expect(stdout()).toBe("");
});

test("runReportedCheck refuses a report over the lock before it makes the check, and leaves the lock as it is", async () => {
  using folder = new Folder();
  const lockFile = folder.file("k.lock", "the lock");
  const reports = [{ format: "json", file: lockFile }] as const;
  const isMade = { value: false };
  const make = async () => {
    isMade.value = true;
    return dead();
  };
  const { io, stdout } = fakeIo();
  const ended = await rejectionOf(runReportedCheck(make, { ...plain, lockFile, reports }, io));
  expect(ended).toContain("it is the lock, which the report would overwrite");
  expect([isMade.value, readFileSync(lockFile, "utf8"), stdout()]).toEqual([false, "the lock", ""]);
});
