import { describe, expect, test, setDefaultTimeout } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { isGone, membersOf } from "../support/processes.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, runMeter, type Session } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

/** Sessions of each kind: 10 in the gate, 100 by hand. */
const sessions = Number(process.env["FORCED_ENDS"] ?? 10);

setDefaultTimeout(60_000 + sessions * 5_000);

const calls = 3;

const summaryFlags = ["--summary", "json", "--summary-file", "{dir}/summary.json"];

/** The lanes are gated by a budget, or open: then a thread of its own forwards, and the judge follows it. */
const kinds = [
  ["a budget", ["--budget", "1M/month", ...summaryFlags]],
  ["open lanes", summaryFlags],
] as const;

const stubborn = ["sh", "-c", 'trap "" INT TERM; exec "$@"', "sh", ...fixture("honest")];

function countedBy(session: Session): { end: unknown; summary: unknown } {
  const end = session.records("end").at(-1)?.["calls"];
  const file = join(session.dir, "summary.json");
  if (!existsSync(file)) return { end, summary: undefined };
  const summary: unknown = JSON.parse(readFileSync(file, "utf8"));
  return { end, summary: Reflect.get(Object(Reflect.get(Object(summary), "total")), "calls") };
}

async function play(flags: readonly string[], server: readonly string[]): Promise<Session> {
  const session = metered(server, { flags, leadsGroup: true });
  await session.ask(initialize());
  for (let id = 1; id <= calls; id++) await session.ask(call(id, "echo", { text: "a few words" }));
  return session;
}

function expectComplete(session: Session, flags: readonly string[]): void {
  expect(countedBy(session)).toEqual({ end: calls, summary: calls });
  expect(session.log().torn).toEqual([]);
  const tokens = session.records("call").map((record) => Number(record["total_tokens"]));
  expect(tokens).toHaveLength(calls);
  const sum = tokens.reduce((before, one) => before + one, 0);
  expect(session.records("end")).toMatchObject([{ total_tokens: sum }]);
  const spent = session
    .records("call")
    .reduce((all, record) => all + Number(record["most_tokens"]), 0);
  const budgets = session.records("end").flatMap((end) => end["budgets"] ?? []);
  expect(budgets).toHaveLength(flags.includes("--budget") ? 1 : 0);
  const counters: unknown = JSON.parse(runMeter(["budgets", "--json"], session).stdout);
  expect(counters).toMatchObject({ counters: budgets.map(() => ({ spent })) });
  expect(budgets).toMatchObject(budgets.map(() => ({ spent })));
  const report = runMeter(["report", "--json", ...session.logPaths], session);
  expect(JSON.parse(report.stdout)).toMatchObject({ sessions: 1, total: { calls } });
}

async function saved(session: Session): Promise<void> {
  await eventually(
    () => `everything on the disk, not ${JSON.stringify(countedBy(session))}`,
    () => countedBy(session).end === calls && countedBy(session).summary === calls,
  );
}

describe.each(kinds)(
  "row 80: ended by force, with %s → an `end`, a whole summary and exact counters of every session",
  (_, flags) => {
    test(`row 80: as Codex does, ${sessions} times: stdin closed, TERM to the group, KILL after 5 ms (slow)`, async () => {
      for (let round = 0; round < sessions; round++) {
        await using session = await play(flags, fixture("honest"));
        await saved(session);
        session.input.end();
        session.killGroup("SIGTERM");
        await Bun.sleep(5);
        kill(session);
        await session.exited();
        expectComplete(session, flags);
      }
    });

    test(`row 80: as Claude Code does, ${sessions} times: INT, TERM after 100 ms, KILL after 400 ms more (slow)`, async () => {
      for (let round = 0; round < sessions; round++) {
        await using session = await play(flags, stubborn);
        session.kill("SIGINT");
        // Before the first signal that may end the server: what is on the disk is due to the goodbye.
        await saved(session);
        await Bun.sleep(100);
        session.kill("SIGTERM");
        await Bun.sleep(400);
        // Long after the TERM, on a busy machine, the meter has killed the server and ended as it did.
        if (!isGone(session.pid)) session.kill("SIGKILL");
        expect(await session.exited()).toEqual({ code: null, signal: "SIGKILL" });
        expectComplete(session, flags);
      }
    });

    test("row 80: without a word", async () => {
      await using session = await play(flags, stubborn);
      await saved(session);
      session.kill("SIGKILL");
      await session.exited();
      expectComplete(session, flags);
    });

    test("row 80: a goodbye is followed by answers, which are saved as well", async () => {
      await using session = await play(flags, stubborn);
      session.kill("SIGINT");
      await saved(session);
      await session.ask(call("late", "echo"));
      await eventually("the late call", () => countedBy(session).summary === calls + 1);
      await eventually("its end", () => countedBy(session).end === calls + 1);
      session.kill("SIGKILL");
      await session.exited();
      expect(session.records("call")).toHaveLength(calls + 1);
    });

    test("row 80: the end of the server replaces the ends before it", async () => {
      await using session = await play(flags, fixture("honest"));
      await saved(session);
      expect(session.records("end")).toMatchObject([{ exit_code: null, signal: null }]);
      expect(await session.finish()).toEqual({ code: 0, signal: null });
      expect(session.records("end")).toMatchObject([{ exit_code: 0, signal: null, calls }]);
    });
  },
);

function kill(session: Session): void {
  if (membersOf(session.pid).length > 0) session.killGroup("SIGKILL");
}
