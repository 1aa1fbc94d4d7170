// How a run ends, and what a person reads who asked for something that cannot be.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { legacy } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { type Home, makeHome, runBare, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;

beforeAll(() => {
  home = makeHome();
  writeFileSync(join(home.path, "torn.json"), '{ "summary": ');
  writeFileSync(join(home.path, "unknown.json"), '{ "sumary": "json" }');
  writeFileSync(join(home.path, "wrong.json"), '{ "summary": 7 }');
  mkdirSync(join(home.path, "folder"));
});

afterAll(() => home.remove());

const inHome = (name: string): string => join(home.path, name);

/** One sentence for a person: one line, no stack, no period, no colour. */
function expectOneSentence(stderr: string): void {
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr.trim()).not.toBe("");
  expect(stderr).not.toMatch(/\bat .+:\d+:\d+/u);
  expect(stderr.trimEnd()).not.toEndWith(".");
  expect(stderr).not.toContain("\u001b");
}

describe("the child's own ending", () => {
  const endings: readonly (readonly [script: string, status: number])[] = [
    ["exit 0", 0],
    ["exit 7", 7],
    ["exit 255", 255],
    ["kill -9 $$", 137],
    ["kill -TERM $$", 143],
    ["read line; exit 3", 3],
  ];
  for (const [script, status] of endings) {
    test(`sh -c '${script}' ends with ${status}`, async () => {
      const run = await runMeter(home, ["--", "sh", "-c", script], {
        input: legacyInput([]),
      });
      expect(run.status).toBe(status);
      expect(run.stdout).toBe("");
    });
  }

  test("and `run` may be written out", async () => {
    expect((await runMeter(home, ["run", "--", "sh", "-c", "exit 7"])).status).toBe(7);
  });

  test("arguments after the first -- reach the child as they are", async () => {
    const args = ["007", "", "--", "--help", "a b", "--log"];
    const run = await runMeter(home, ["--", "sh", "-c", 'printf "%s|" "$@"', "sh", ...args]);
    expect(run.stdout).toBe(args.map((arg) => `${arg}|`).join(""));
    expect(run.status).toBe(0);
  });
});

describe("what cannot be is refused in one sentence", () => {
  type Refusal = readonly [args: () => readonly string[], status: number, names: string];
  const refusals: readonly Refusal[] = [
    [() => ["--", inHome("missing")], 127, "/missing"],
    [() => ["--", "no-such-command-anywhere"], 127, "no-such-command-anywhere"],
    [() => ["--", "/etc/passwd"], 126, "/etc/passwd"],
    [() => ["--", "/etc"], 126, "/etc"],
    [() => ["--frobnicate", "--", "true"], 125, "frobnicate"],
    [() => [], 125, "--"],
    [() => ["--"], 125, "--"],
    [() => ["run"], 125, "--"],
    [() => ["run", "--"], 125, "--"],
    [() => ["--log", "off"], 125, "--"],
    [() => ["--risk", "lots", "--", "true"], 125, "lots"],
    [() => ["--risk", "1,2", "--", "true"], 125, "1,2"],
    [() => ["--risk", "3,2,1", "--", "true"], 125, "3,2,1"],
    [() => ["--summary", "poem", "--", "true"], 125, "poem"],
    [() => ["--exit-code", "maybe", "--", "true"], 125, "maybe"],
    [() => ["--tokenizer", "abacus", "--", "true"], 125, "abacus"],
    [() => ["--config", inHome("missing.json"), "--", "true"], 125, "missing.json"],
    [() => ["--config", inHome("folder"), "--", "true"], 125, "folder"],
    [() => ["--config", inHome("torn.json"), "--", "true"], 125, "torn.json"],
    [() => ["--config", inHome("unknown.json"), "--", "true"], 125, "sumary"],
    [() => ["--config", inHome("wrong.json"), "--", "true"], 125, "summary"],
  ];
  for (const [args, status, names] of refusals) {
    const shown = args.toString().replace(/^\(\) => /u, "");
    test(`${shown} → ${status}`, async () => {
      const run = await runMeter(home, args(), { input: legacyInput([]) });
      expect(run.stdout).toBe("");
      expectOneSentence(run.stderr);
      expect(run.stderr).toContain(names);
      expect(run.status).toBe(status);
    });
  }

  test("report of a file that is not there → 2", async () => {
    const run = await runMeter(home, ["report", inHome("missing.ndjson")]);
    expect(run.stdout).toBe("");
    expectOneSentence(run.stderr);
    expect(run.status).toBe(2);
  });
});

describe("a log that cannot be kept does not stop the traffic", () => {
  const input = legacyInput([["echo", { message: "hello" }]]);
  const places: readonly (readonly [name: string, log: () => string])[] = [
    ["a directory", () => inHome("folder")],
    ["below a file", () => join(inHome("torn.json"), "log.ndjson")],
    ["below /dev/null", () => "/dev/null/log.ndjson"],
  ];
  for (const [name, log] of places) {
    test(`${name}: the same answers, one sentence`, async () => {
      const alone = await runBare(legacy().argv, { input });
      const run = await runMeter(
        home,
        ["--summary", "off", "--log", log(), "--", ...legacy().argv],
        { input },
      );
      expect(run.stdout.split("\n").toSorted()).toEqual(alone.stdout.split("\n").toSorted());
      expect(run.status).toBe(alone.status);
      expectOneSentence(run.stderr);
      expect(run.stderr).toContain(log());
    });
  }

  test("no home at all: one warning, and the session runs", async () => {
    const run = await runMeter(home, ["--summary", "off", "--", ...legacy().argv], {
      input,
      env: { HOME: "", XDG_STATE_HOME: "", XDG_CONFIG_HOME: "" },
    });
    expect(run.status).toBe(0);
    expect(run.stdout).toContain("hello");
    expectOneSentence(run.stderr);
  });
});
