import { describe, expect, test } from "bun:test";
import {
  AlertCommand,
  type AlertCommandDeps,
  alertClientsMax,
  alertsAtExitMaxMs,
  parallelAlertsAtExitMax,
  type ShellCommand,
} from "#state/alerting/alert-command.ts";
import type { Ending } from "#kit/io.ts";
import { alertRecord, callRecord, sessionRecord } from "../../support/made-records.ts";
import { eventually } from "../../support/wait.ts";

// A world whose shells end as in `endings`; a shell without an ending runs until it is killed.
function world(endings: readonly (Ending | undefined)[], deps: Partial<AlertCommandDeps> = {}) {
  const started: ShellCommand[] = [];
  const failures: string[][] = [];
  let [running, runningMost, killed] = [0, 0, 0];
  const alerts = new AlertCommand({
    command: "notify",
    home: "/",
    start: async (shell) => {
      const ending = endings[started.push(shell) - 1];
      running += 1;
      runningMost = Math.max(runningMost, running);
      const end = Promise.withResolvers<Ending>();
      const finish = (how: Ending): void => {
        running -= 1;
        end.resolve(how);
      };
      if (ending) setTimeout(() => finish(ending), 1);
      const kill = (): void => {
        killed += 1;
        finish({ signal: "SIGKILL" });
      };
      return { ended: end.promise, kill };
    },
    reportFailure: (...failure) => failures.push(failure),
    ...deps,
  });
  return { alerts, started, failures, most: () => runningMost, killed: () => killed };
}

const ok: Ending = { code: 0 };
const tools = (commands: readonly ShellCommand[]): unknown[] =>
  commands.map(({ input }) => JSON.parse(input).tool);

async function failuresOfStart(error: unknown): Promise<readonly string[][]> {
  const { alerts, failures } = world([], {
    start: () => {
      throw error;
    },
  });
  alerts.take(alertRecord());
  await alerts.finish();
  return failures;
}

describe("AlertCommand", () => {
  test("sessions that share it have the client of each, the newest of them", async () => {
    const { alerts, started } = world([ok, ok, ok]);
    alerts.take(sessionRecord({ session_id: "first", client_name: "first host" }));
    for (let n = 1; n < alertClientsMax; n += 1) {
      alerts.take(sessionRecord({ session_id: `s${n}`, client_name: `host ${n}` }));
    }
    alerts.take(alertRecord({ session_id: "first", tool: "a" }));
    alerts.take(sessionRecord({ session_id: "last", client_name: "last host" }));
    alerts.take(alertRecord({ session_id: "first", tool: "b" }));
    alerts.take(alertRecord({ session_id: "last", tool: "c" }));
    await alerts.finish();
    const clients = started.map(({ input }) => JSON.parse(input).client);
    expect(clients).toEqual(["first host", null, "last host"]);
  });

  test("runs the command once per alert, at the end side by side, with JSON on one line", async () => {
    const { alerts, started, failures, most } = world([ok, ok, ok]);
    alerts.take(sessionRecord({ client_name: "host" }));
    alerts.take(callRecord());
    for (const tool of ["a", "b", "c"]) alerts.take(alertRecord({ tool }));
    expect(started).toEqual([]);
    await alerts.finish();
    expect(tools(started)).toEqual(["a", "b", "c"]);
    expect([most(), failures]).toEqual([3, []]);
    const [first] = started;
    expect(first).toMatchObject({ command: "notify", cwd: "/" });
    expect(first?.input).toMatch(/^\{"format":"mcp-meter-alert\/1",.+,"count":1\}\n$/);
    expect(first?.input).toContain('"client":"host"');
  });

  test("starts a moment after the record, without the end", async () => {
    const { alerts, started } = world([ok]);
    alerts.take(alertRecord());
    expect(started).toHaveLength(0);
    await eventually("the start", () => started.length === 1);
    await alerts.finish();
    expect(started).toHaveLength(1);
  });

  test("equal alerts are one process", async () => {
    const { alerts, started } = world([ok]);
    for (let n = 0; n < 5; n += 1) alerts.take(alertRecord());
    await alerts.finish();
    expect(started.map(({ input }) => JSON.parse(input).count)).toEqual([5]);
  });

  const rows: readonly (readonly [name: string, ending: Ending, what: string])[] = [
    ["an exit code", { code: 3 }, "exit 3"],
    ["a signal", { signal: "SIGSEGV" }, "SIGSEGV"],
  ];
  for (const [name, ending, what] of rows) {
    test(`${name} is reported once, and later alerts still run`, async () => {
      const { alerts, started, failures } = world([ending, ending, ok]);
      for (const tool of ["a", "b", "c"]) alerts.take(alertRecord({ tool }));
      await alerts.finish();
      expect(tools(started)).toEqual(["a", "b", "c"]);
      expect(failures.map(([, cause]) => cause)).toEqual([what]);
    });
  }

  test("a process that cannot be started is reported without the text of its error", async () => {
    const system = Object.assign(new Error("spawn notify secret"), { code: "E2BIG" });
    for (const [error, cause] of [
      [system, "E2BIG"],
      [new TypeError("notify secret"), "TypeError"],
      ["secret", "unknown"],
    ] as const) {
      const failures = await failuresOfStart(error);
      expect(failures.map(([, what]) => what)).toEqual([cause]);
      expect(JSON.stringify(failures)).not.toContain("secret");
    }
  });

  test("one process at a time before the end", async () => {
    const { alerts, started, most } = world([ok, undefined]);
    alerts.take(alertRecord({ tool: "a" }));
    await eventually("the first", () => started.length === 1);
    alerts.take(alertRecord({ tool: "b" }));
    await eventually("the second, a second later", () => started.length === 2);
    expect(most()).toBe(1);
    await alerts.finish();
  });

  test("the end kills those that hang, and counts the alerts that they held up", async () => {
    const { alerts, started, failures, killed, most } = world([]);
    for (const tool of ["a", "b", "c", "d", "e", "f"]) alerts.take(alertRecord({ tool }));
    const begun = performance.now();
    await alerts.finish();
    expect(performance.now() - begun).toBeGreaterThan(alertsAtExitMaxMs * 0.9);
    expect(tools(started)).toEqual(["f", "a", "b", "c"]);
    expect([killed(), most()]).toEqual([parallelAlertsAtExitMax, parallelAlertsAtExitMax]);
    expect(failures.map(([, what]) => what)).toEqual(["timeout", "alerts left out"]);
    alerts.take(alertRecord({ tool: "late" }));
    expect(started).toHaveLength(parallelAlertsAtExitMax);
  });

  test("one that hangs since before the end holds up no other, the last one least", async () => {
    const { alerts, started, killed } = world([undefined, ok, ok, ok, ok, ok]);
    alerts.take(alertRecord({ tool: "a" }));
    await eventually("the first", () => started.length === 1);
    for (const tool of ["b", "c", "d", "e", "f"]) alerts.take(alertRecord({ tool }));
    await alerts.finish();
    expect(tools(started)).toEqual(["a", "f", "b", "c", "d", "e"]);
    expect(killed()).toBe(1);
  });

  test("an end without alerts takes no time", async () => {
    const { alerts, failures } = world([]);
    await alerts.finish();
    expect(failures).toEqual([]);
  });

  test("a home that is not there is the root", async () => {
    const { alerts, started } = world([ok], { home: "/none/of/this" });
    alerts.take(alertRecord());
    await alerts.finish();
    expect(started[0]?.cwd).toBe("/");
  });
});
