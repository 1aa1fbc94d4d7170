import { Database } from "bun:sqlite";
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { advanceRoomDivisor } from "#state/stores/apply-change.ts";
import { checkpointDelayMs } from "#transport/proxy/observer.ts";
import { allowed, judgedByTime } from "../support/measure.ts";
import { has } from "../support/needs.ts";
import { logsBelow, readLog } from "../support/records.ts";
import { call } from "../support/rpc.ts";
import { fixture, metered, runMeter, type Session, testMaxMs } from "../support/session.ts";
import { eventually } from "../support/wait.ts";

setDefaultTimeout(testMaxMs);

const server = fixture("answers.sh");
const day = 86_400_000;
const names = ["budget-counters.sqlite", "counters.sqlite"];

const shared = (state: string) => ({ XDG_STATE_HOME: state });
const echo = (id: number) => call(id, "echo", {});
const isRefused = (answer: object): boolean => JSON.stringify(answer).includes('"isError":true');

function limited(state: string, budget: string, ...flags: readonly string[]): Session {
  return metered(server, { env: shared(state), flags: ["--budget", budget, ...flags] });
}

async function asked(session: Session, first: number, last: number): Promise<object[]> {
  const answers: object[] = [];
  for (let id = first; id <= last; id += 1) answers.push(await session.ask(echo(id)));
  return answers;
}

async function useUp(state: string, budget: string, calls: number): Promise<void> {
  await using session = limited(state, budget);
  expect((await asked(session, 1, calls)).filter(isRefused)).toEqual([]);
  await session.finish();
}

async function roomLeft(state: string, budget: string): Promise<number> {
  await using session = limited(state, budget, "--log", "off");
  let calls = 0;
  while (!isRefused(await session.ask(echo(calls + 1)))) calls += 1;
  await session.finish();
  return calls;
}

function fileOf(state: string): string {
  const folder = join(state, "mcp-meter");
  const name = names.find((one) => existsSync(join(folder, one)));
  if (name === undefined) throw new Error("there is no file of counters");
  return join(folder, name);
}

function lockedBy(state: string): Database {
  const holder = new Database(fileOf(state));
  holder.run(`PRAGMA busy_timeout = ${testMaxMs}`);
  holder.run("BEGIN EXCLUSIVE");
  return holder;
}

const sentences = (session: Session): string[] =>
  session.stderr.text.split("\n").filter((line) => line.includes("shared budget counters"));

function host(): Session {
  return metered(server, { flags: ["--log", "off"] });
}

describe("row 63: shared counters that another process has locked", () => {
  const policies = [
    ["local", true],
    ["closed", true],
    ["open", false],
  ] as const;
  for (const [policy, refuses] of policies) {
    test(`row 63: ${policy}: a used up budget ${refuses ? "stays used up" : "does not matter"} (slow)`, async () => {
      await using home = host();
      const state = home.stateDir;
      await useUp(state, "2calls/month", 2);
      using holder = lockedBy(state);
      const flags = policy === "local" ? [] : ["--on-counter-failure", policy];
      await using session = limited(state, "2calls/month", ...flags);
      expect(isRefused(await session.ask(echo(1)))).toBe(refuses);
      holder.run("ROLLBACK");
      await session.finish();
      expect(sentences(session)[0]).toContain("another process has locked the file");
      expect(faultsBelow(state)).toMatchObject([{ where: "budget counters", what: "SQLITE_BUSY" }]);
    });
  }

  test("row 63: open: no call is refused because its usual answer would not fit", async () => {
    await using home = host();
    const folder = join(home.stateDir, "mcp-meter");
    for (const name of names) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    await using session = limited(home.stateDir, "60/day", "--on-counter-failure", "open");
    expect((await asked(session, 1, 12)).filter(isRefused)).toEqual([]);
    expect(await session.finish()).toEqual({ code: 0, signal: null });
    expect(sentences(session)[0]).toContain("calls under these budgets pass");
  });

  test("row 63: locked in the middle of a session: what was known counts, and is added later (slow)", async () => {
    await using home = host();
    const state = home.stateDir;
    await using session = limited(state, "3calls/month");
    await asked(session, 1, 1);
    using holder = lockedBy(state);
    expect((await asked(session, 2, 4)).map(isRefused)).toEqual([false, false, true]);
    holder.run("ROLLBACK");
    await session.finish();
    await using next = limited(state, "3calls/month");
    expect(isRefused(await next.ask(echo(1)))).toBe(true);
    await next.finish();
    expect(sentences(session)).toHaveLength(2);
  });

  test("row 63: TERM while they stay locked: gone within 2 s (slow)", judgedByTime, async () => {
    await using home = host();
    const state = home.stateDir;
    await using session = limited(state, "3calls/month");
    await asked(session, 1, 1);
    await Bun.sleep(2 * checkpointDelayMs);
    using holder = lockedBy(state);
    const startedMs = performance.now();
    session.kill("SIGTERM");
    await session.exited();
    expect(performance.now() - startedMs).toBeLessThan(allowed(2_000));
    holder.run("ROLLBACK");
  });

  test("row 63: 100 meters that start at once share one counter, and none hangs (slow)", async () => {
    await using home = host();
    const state = home.stateDir;
    const sessions = Array.from({ length: 100 }, () =>
      limited(state, "60calls/month", "--log", "off", "--on-counter-failure", "closed"),
    );
    const answers = await Promise.all(
      sessions.map(async (session) => {
        const answer = await session.ask(echo(1), allowed(testMaxMs / 2));
        await session.finish(allowed(testMaxMs / 2));
        return answer;
      }),
    );
    let passed = answers.filter((answer) => !isRefused(answer)).length;
    expect(passed).toBeLessThanOrEqual(60);
    // Calls that were refused for what others held, or for counters that were busy for too long, have taken nothing.
    await using next = limited(state, "60calls/month", "--log", "off");
    for (let id = 1; passed < 60; id += 1, passed += 1) {
      expect(isRefused(await next.ask(echo(id)))).toBe(false);
    }
    expect(isRefused(await next.ask(echo(99)))).toBe(true);
    await next.finish();
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  test("row 63: 20 meters on one counter, half of them killed: the ceiling holds, and holds come back (slow)", async () => {
    await using home = host();
    const state = home.stateDir;
    const limit = 400;
    const sessions = Array.from({ length: 20 }, () =>
      limited(state, `${limit}calls/month`, "--log", "off"),
    );
    const victims = sessions.filter((_, index) => index % 2 === 0);
    const played = sessions.map((session, index) =>
      asked(session, 1, index % 2 === 0 ? 10 : 60).catch(() => []),
    );
    await Promise.all(played.filter((_, index) => index % 2 === 0));
    // One call of each is open when it is killed.
    for (const victim of victims) await victim.send(call("x", "echo", { text: "never" }));
    for (const victim of victims) victim.kill("SIGKILL");
    const answers = (await Promise.all(played)).flat();
    const passed = answers.filter((answer) => !isRefused(answer)).length;
    expect(passed).toBeLessThanOrEqual(limit);
    for (const session of sessions) await session[Symbol.asyncDispose]();
    const left = await roomLeft(state, `${limit}calls/month`);
    expect(passed + left).toBeLessThanOrEqual(limit);
    // A killed meter takes with it its open call and what it had pledged: an eighth of the room that was left.
    const keptMin = (limit - 10 * 10) * (1 - 1 / advanceRoomDivisor) ** victims.length;
    expect(passed + left).toBeGreaterThanOrEqual(10 * 10 + Math.floor(keptMin) - victims.length);
    expect(heldIn(home)).toBe(0);
  });
});

function faultsBelow(state: string) {
  return readLog(...logsBelow(state)).records.filter(({ type }) => type === "fault");
}

function heldIn(home: Session): number {
  const { counters } = JSON.parse(runMeter(["budgets", "--json"], home).stdout);
  return counters[0]?.held ?? 0;
}

describe("row 64: a window that a wrong clock has begun", () => {
  const compiler = has("cc", "row 64");

  test.if(compiler)("row 64: a budget that it used up is full again after its period", async () => {
    await using home = host();
    const preloaded = join(home.dir, "clock.so");
    const source = resolve(import.meta.dir, "../fixtures/clock-ahead.c");
    expect(Bun.spawnSync(["cc", "-shared", "-fPIC", "-o", preloaded, source]).exitCode).toBe(0);
    const calls = async (aheadMs: number): Promise<boolean[]> => {
      const env = { LD_PRELOAD: preloaded, CLOCK_AHEAD_MS: String(aheadMs) };
      await using session = metered(server, {
        env: { ...shared(home.stateDir), ...env },
        flags: ["--budget", "2calls/hour"],
      });
      const answers = await asked(session, 1, 2);
      await session.finish();
      return answers.map(isRefused);
    };
    expect(await calls(400 * day)).toEqual([false, false]);
    // Setting the clock does not refill the counter.
    expect(await calls(0)).toEqual([true, true]);
    expect(await calls(7_200_000)).toEqual([false, false]);
  });
});

describe("row 65: the file of the counters is something else", () => {
  const kinds: readonly (readonly [kind: string, make: (path: string, state: string) => void])[] = [
    ["pipe", (path) => Bun.spawnSync(["mkfifo", path])],
    ["directory", (path) => mkdirSync(path)],
    ["symbolic link", (path, state) => symlinkSync(join(state, "elsewhere"), path)],
    ["device", (path) => symlinkSync("/dev/zero", path)],
    ["text", (path) => writeFileSync(path, "not a database ".repeat(400))],
  ];
  for (const [kind, make] of kinds) {
    test(`row 65: a ${kind}: one sentence, and the session counts by itself`, async () => {
      await using home = host();
      const state = home.stateDir;
      mkdirSync(join(state, "mcp-meter"), { recursive: true, mode: 0o700 });
      for (const name of names) make(join(state, "mcp-meter", name), state);
      await using session = limited(state, "2calls/month");
      expect((await asked(session, 1, 3)).map(isRefused)).toEqual([false, false, true]);
      await session.finish();
      expect(sentences(session)).toHaveLength(1);
      expect(existsSync(join(state, "elsewhere"))).toBe(false);
    });
  }

  const damages: readonly (readonly [what: string, damage: (file: string) => void])[] = [
    ["removed", (file) => rmSync(file)],
    ["truncated", (file) => truncateSync(file, 0)],
    ["cut in two", (file) => truncateSync(file, 4096)],
    ["overwritten", (file) => writeFileSync(file, "not a database ".repeat(4000))],
    ["beside truncated files", (file) => truncateAll(file)],
    ["beside pipes", (file) => addPipes(file)],
  ];
  for (const [what, damage] of damages) {
    test(`row 65: ${what} in the middle of a session: the ceiling holds, nothing hangs or dies`, async () => {
      await using home = host();
      const state = home.stateDir;
      await using session = limited(state, "4calls/month");
      await asked(session, 1, 2);
      damage(fileOf(state));
      const answers = await asked(session, 3, 6);
      expect(answers.map(isRefused)).toEqual([false, false, true, true]);
      expect(await session.finish()).toEqual({ code: 1, signal: null });
      expect(sentences(session).length).toBeLessThanOrEqual(2);
    });
  }
});

function truncateAll(file: string): void {
  for (const suffix of ["-journal", "-wal", "-shm"]) writeFileSync(`${file}${suffix}`, "");
}

function addPipes(file: string): void {
  const folder = resolve(file, "..");
  for (const name of readdirSync(folder).filter((one) => /-(?:journal|wal|shm)$/.test(one))) {
    rmSync(join(folder, name));
  }
  for (const suffix of ["-journal", "-wal"]) Bun.spawnSync(["mkfifo", `${file}${suffix}`]);
}

describe("row 66: thousands of calls in flight", () => {
  test("row 66: under a day budget they take about as long as under one of a session (slow)", async () => {
    const calls = 4_000;
    const measure = async (per: string): Promise<number> => {
      await using session = metered(fixture("honest"), {
        flags: ["--log", "off", "--budget", `1000M/${per}`],
      });
      await session.ask(echo(0));
      const started = performance.now();
      await session.send(...Array.from({ length: calls }, (_, id) => echo(id + 1)));
      await session.answer(calls, testMaxMs / 3);
      const took = performance.now() - started;
      await session.finish();
      return took;
    };
    const ratios: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const session = await measure("session");
      ratios.push((await measure("day")) / session);
    }
    // It was 1.12 when measured alone; a sum over all open calls made it more than 20.
    expect(Math.min(...ratios)).toBeLessThan(2);
  });
});

describe("row 66: the holds of other meters", () => {
  test("row 66: a refusal because of open calls says so, and they are free when their meter was killed", async () => {
    await using home = host();
    const state = home.stateDir;
    await using first = limited(state, "100/month");
    const words = "word ".repeat(60);
    await first.send(call(1, "echo", { text: `never ${words}` }));
    await using second = limited(state, "100/month");
    await eventually("it is open", () => heldIn(home) > 50);
    const refusal = JSON.stringify(await second.ask(call(1, "echo", { text: words })));
    expect(refusal).toMatch(/has no room for it now: 0 spent, \d+ reserved for open calls/);
    first.kill("SIGKILL");
    await first.exited();
    expect(isRefused(await second.ask(call(2, "echo", { text: words })))).toBe(false);
  });
});
