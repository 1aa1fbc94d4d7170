import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { appendStepSummary, isOnGithub } from "#commands/run-reported-check.ts";
import { scratch } from "../../support/replay.ts";

const folder = scratch();
const reported: string[] = [];
const tell = (sentence: string): unknown => reported.push(sentence);

test("appendStepSummary appends, and passes the size of what is there", () => {
  const file = folder.write("summary.md", "before\n");
  const env = { GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: file };
  appendStepSummary(env, (takenBytes) => `${takenBytes} bytes\n`, tell);
  expect(readFileSync(file, "utf8")).toBe("before\n7 bytes\n");
  appendStepSummary({ ...env, GITHUB_ACTIONS: "" }, () => "elsewhere", tell);
  appendStepSummary({ GITHUB_ACTIONS: "true" }, () => "nowhere", tell);
  expect(readFileSync(file, "utf8")).toBe("before\n7 bytes\n");
  expect(reported).toEqual([]);
});

test("appendStepSummary reports a failure and goes on", () => {
  appendStepSummary({ GITHUB_ACTIONS: "true", GITHUB_STEP_SUMMARY: folder.path }, () => "x", tell);
  expect(reported).toEqual(["Cannot append to the step summary: it is a directory"]);
});

test("isOnGithub is true for the value true alone", () => {
  expect([isOnGithub({ GITHUB_ACTIONS: "true" }), isOnGithub({})]).toEqual([true, false]);
});
