import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  alertCommandMaxMs,
  alertsAtExitMaxMs,
  parallelAlertsAtExitMax,
} from "#state/alerting/alert-command.ts";
import { allowed } from "../support/measure.ts";
import { isGone } from "../support/processes.ts";
import { call, initialize, type Message } from "../support/rpc.ts";
import { fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const flags = ["--summary", "off", "--budget", "*=1:warn"];

const home = (session: Session, name: string) => join(session.dir, "home", name);

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const faultsOf = (session: Session) =>
  session.records("fault").filter(({ where }) => where === "alert command");

async function play(session: Session, tools: readonly string[]): Promise<Message[]> {
  const answers = [await session.ask(initialize())];
  for (const [at, tool] of tools.entries())
    answers.push(await session.ask(call(at + 1, tool, { text: `answer ${at}` })));
  return answers;
}

const rows: readonly (readonly [name: string, command: string, what: string])[] = [
  ["fails", "exit 3", "exit 3"],
  ["is not there", "no-such-program-anywhere", "exit 127"],
  ["is no shell's syntax", "if then fi (", "exit 2"],
  ["is killed", "kill -KILL $$", "SIGKILL"],
  ["hangs", "sleep 1000", "timeout"],
  ["floods its output", "while :; do echo '{\"id\":1}'; echo flood >&2; done", "timeout"],
  ["does not read its stdin", "exec 0<&-; exit 9", "exit 9"],
  ["is too long to be started", `: ${"x".repeat(140_000)}`, "E2BIG"],
];

describe("the command of an alert", () => {
  for (const [name, command, what] of rows) {
    test(`row 90: ${name} (slow)`, async () => {
      // A variable of this length would stop mcp-meter itself from being started.
      const config = JSON.stringify({ on_alert: command });
      const prepare = (dir: string): void => writeFileSync(join(dir, "c.json"), config);
      const named = [...flags, "--config", "{dir}/c.json"];
      await using session = metered(fixture("honest"), { flags: named, prepare });
      const answers = await play(session, ["echo", "fail", "other"]);
      // At the end, a command that takes its time on a busy machine would be killed for that.
      if (what !== "timeout") await eventually("its fault", () => faultsOf(session).length > 0);
      const begun = performance.now();
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      expect(performance.now() - begun).toBeLessThan(alertsAtExitMaxMs + allowed(5_000));
      expect(session.messages).toEqual(answers);
      expect(answers).toHaveLength(4);
      const faults = faultsOf(session);
      expect(faults[0]?.["what"]).toBe(what);
      const told = session.stderr.text.split("\n").filter((line) => line.includes("--on-alert"));
      expect(told.filter((line) => line.includes("failed"))).toHaveLength(1);
      expect(told.length).toBe(faults.length);
      expect(session.stderr.text).not.toContain("flood");
      expect(session.records("end").at(-1)).toMatchObject({ calls: 3, observer_faults: 0 });
      await eventually("the end of all processes", () => session.living.length === 0);
    });
  }
});

test("row 91: names reach the command on its stdin only, and run nothing (slow)", async () => {
  const names = [
    "$(touch ran)",
    "`touch ran`",
    "'; touch ran; '",
    "\n\u202e\u001b[2J",
    "x".repeat(9_999),
  ];
  const command =
    "cat >> in; tr '\\0' '\\n' < /proc/$$/environ >> env; cat /proc/$$/cmdline >> line";
  await using session = metered(fixture("honest"), { flags: [...flags, "--on-alert", command] });
  await play(session, names);
  await eventually("all alerts", () => toolsIn(home(session, "in")).length === names.length);
  await session.finish();
  const tools = toolsIn(home(session, "in")).toSorted();
  const shown = [...names.slice(0, 3), "\\u000a\\u202e\\u001b[2J", "x".repeat(256)];
  expect(tools).toEqual(shown.toSorted());
  for (const name of ["env", "line"]) {
    expect(textOf(home(session, name))).not.toMatch(/touch ran|xxxx|\u202e/);
    expect(textOf(home(session, name))).not.toBe("");
  }
  expect(existsSync(home(session, "ran"))).toBe(false);
  expect(existsSync(join(session.dir, "ran"))).toBe(false);
});

test("row 92: a command that never ends is killed with its group, and the next one runs (slow)", async () => {
  const command =
    'echo "$$ $(cut -d" " -f22 /proc/uptime 2>/dev/null)" >> pids; sleep 1000 & echo $! >> children; wait';
  await using session = metered(fixture("honest"), { flags: [...flags, "--on-alert", command] });
  const begun = performance.now();
  await play(session, ["one", "two"]);
  const pids = (name: string): number[] =>
    textOf(home(session, name)).match(/^\d+/gm)?.map(Number) ?? [];
  await eventually("the first process", () => pids("children").length === 1);
  expect(await session.ask(call(9, "echo", { text: "still here" }))).toMatchObject({ id: 9 });
  await eventually("the second process", () => pids("children").length === 2, testMaxMs / 2);
  expect(performance.now() - begun).toBeGreaterThan(alertCommandMaxMs);
  for (const pid of [pids("pids")[0] ?? 0, pids("children")[0] ?? 0])
    await eventually("the end of the first group", () => isGone(pid));
  await session.finish();
  await eventually("the end of all processes", () => session.living.length === 0);
  expect(session.stderr.text.match(/The --on-alert command failed/g)).toHaveLength(1);
  expect(session.stderr.text).toContain("killed, because it was still running after 10 seconds");
});

const toolsIn = (path: string): string[] =>
  textOf(path)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => String(JSON.parse(line).tool));

const ten = Array.from({ length: 10 }, (_, at) => `tool-${at}`);

test("row 112: a process that hangs when the session ends holds up no alert (slow)", async () => {
  const command = "if mkdir first; then cat >> in; exec sleep 1000; fi; cat >> in";
  await using session = metered(fixture("honest"), { flags: [...flags, "--on-alert", command] });
  await play(session, ten);
  const begun = performance.now();
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeLessThan(alertsAtExitMaxMs + allowed(5_000));
  expect(toolsIn(home(session, "in")).toSorted()).toEqual(ten);
  expect(session.stderr.text).not.toContain("were not");
  await eventually("the end of all processes", () => session.living.length === 0);
});

test("row 112: when all hang, the last alert was begun, and the session ends in time (slow)", async () => {
  const command = "cat >> in; exec sleep 1000";
  await using session = metered(fixture("honest"), { flags: [...flags, "--on-alert", command] });
  await play(session, ten);
  const begun = performance.now();
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeLessThan(alertsAtExitMaxMs + allowed(5_000));
  const begunTools = toolsIn(home(session, "in"));
  expect(begunTools).toContain("tool-9");
  expect(begunTools.length).toBeLessThanOrEqual(parallelAlertsAtExitMax);
  const faults = session.records("fault").map(({ what }) => what);
  expect(faults).toEqual(["timeout", "alerts left out"]);
  await eventually("the end of all processes", () => session.living.length === 0);
});
