import { describe, expect, test } from "bun:test";
import { alertFailures, alertSentences, alertText, breachFate } from "#alert-sentences.ts";
import { sentences } from "#errors.ts";

describe("an alert in one sentence", () => {
  test("has the names that there are", () => {
    const names = { server: "memory", tool: "search", budget: "search=2k" };
    expect(alertText(names, "too much")).toBe(
      "mcp-meter: memory, search, budget search=2k: too much",
    );
    expect(alertText({ ...names, tool: null, budget: null }, "it changed")).toBe(
      "mcp-meter: memory: it changed",
    );
  });

  test("says how a call ended that exceeded a budget", () => {
    expect([breachFate(false, true), breachFate(true, false), breachFate(true, true)]).toEqual([
      "the call passed",
      "the call was refused or delayed",
      "the answer was withheld or shortened",
    ]);
  });
});

test("failures of the command have their cause", () => {
  const { exit, signal, late, atEnd, start } = alertFailures;
  expect([exit(3), exit(127), exit(126), signal("SIGSEGV"), late(10), start("ENOENT")]).toEqual([
    "exit code 3",
    "exit code 127: it has a program that was not found",
    "exit code 126: it has a program that cannot be run",
    "killed by SIGSEGV",
    "killed, because it was not done after 10 seconds",
    "no process could be started: no such file or directory",
  ]);
  expect(alertSentences.alertCommandFailed(atEnd())).toBe(
    "The command of --on-alert failed (killed, because it was not done at the end of the session); traffic continues, and alerts are in the records",
  );
});

test("they are among the sentences of all", () => {
  expect(sentences).toMatchObject(alertSentences);
});
