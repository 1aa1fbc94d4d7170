import { expect, test } from "bun:test";
import { helpText } from "#commands/help.ts";
import { commands } from "#commands/index.ts";

const own = { help: { describe: "show this help" } };

test("helpText shows usage, options with their values, and examples within the columns", async () => {
  const { report } = commands;
  if (!report) throw new Error("There is no report command");
  const text = await helpText("report", report, own, 60);
  for (const part of [report.usage, report.summary, "-h, --help", "Examples:"]) {
    expect(text).toContain(part);
  }
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(60);
});

test("helpText of run names the other commands", async () => {
  const { run } = commands;
  if (!run) throw new Error("There is no run command");
  expect(await helpText("run", run, own)).toMatch(/Commands:\n +run .*\n +report /u);
});
