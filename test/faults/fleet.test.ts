import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { findLoginName } from "#state/storage/identity/counter-owner.ts";
import { startOverBudgetServer } from "../support/over-budget-server.ts";
import { answerTo, jsonHead, whole } from "../support/over-budget-answers.ts";
import { Folder } from "../support/folder.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { call, initialize } from "../support/rpc.ts";
import { ServedProxy } from "../support/served-proxy.ts";
import { logsBelow, readLog, type LogRecord } from "../support/records.ts";
import { executable, fixture, metered, type Session, testMaxMs } from "../support/session.ts";
import { slowIf } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const isThere = hasRedis("rows 192 to 195");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

const places = ["a file", "redis"] as const;

function countersIn(place: (typeof places)[number]): Readonly<Record<string, string>> {
  return place === "redis"
    ? { MCP_METER_COUNTERS: redis?.url ?? "", MCP_METER_FLEET: crypto.randomUUID() }
    : {};
}

type Developer = {
  readonly folder: Folder;
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
  readonly server?: string;
};

function start({ folder, env, flags, server = "answers.sh" }: Developer): Session {
  return metered(fixture(server), {
    env: { ...env, XDG_STATE_HOME: folder.at("state") },
    flags: ["--server=demo", "--summary=off", ...flags],
  });
}

function runMeter(
  words: readonly string[],
  { env = {}, stateDir }: { env?: Readonly<Record<string, string>>; stateDir: string },
) {
  const { PATH = "" } = process.env;
  const home = { PATH, HOME: stateDir, XDG_STATE_HOME: stateDir };
  const run = Bun.spawnSync([executable, ...words], { env: { ...home, ...env }, stdin: "ignore" });
  return { code: run.exitCode, stdout: run.stdout.toString(), stderr: run.stderr.toString() };
}

const recordsIn = (folder: Folder, type: string): readonly LogRecord[] =>
  readLog(...logsBelow(folder.at("state"))).records.filter((record) => record.type === type);

async function countDelivered(session: Session, calls: number): Promise<number> {
  await session.ask(initialize());
  let delivered = 0;
  for (let id = 1; id <= calls; id += 1) {
    const answer = JSON.stringify(await session.ask(call(id, "echo", { id })));
    if (!answer.includes("mcp-meter: echo")) delivered += 1;
  }
  return delivered;
}

async function play(developer: Developer, calls: number): Promise<number> {
  await using session = start(developer);
  const delivered = await countDelivered(session, calls);
  await session.finish();
  return delivered;
}

describe("row 192: one developer's loop leaves the others their budget", () => {
  for (const place of places) {
    const part = slowIf(place === "a file");
    test.if(place === "a file" || isThere)(`counters in ${place}${part}`, async () => {
      using folder = new Folder();
      const env = countersIn(place);
      const budgets = ["--budget", "5calls/month/user", "--budget", "12calls/month/fleet"];
      const by = (user: string): Developer => ({
        folder,
        env: { ...env, MCP_METER_USER: user },
        flags: budgets,
      });
      expect(await play(by("ann"), 20)).toBe(5);
      expect(await play(by("bob"), 3)).toBe(3);
      expect(await play(by("bob"), 3)).toBe(2);
      expect(await play(by("eve"), 9)).toBe(2);
      const listed = runMeter(["budgets", "--json"], { env, stateDir: folder.at("state") });
      const { counters } = JSON.parse(listed.stdout);
      const spent = counters.map(({ user, owner, spent: amount }: Record<string, unknown>) => [
        owner,
        user,
        amount,
      ]);
      expect(spent.toSorted()).toEqual([
        ["fleet", null, 12],
        ["user", "ann", 5],
        ["user", "bob", 5],
        ["user", "eve", 2],
      ]);
    });
  }

  test("without a name, the user is the login, which no record holds", async () => {
    using folder = new Folder();
    const username = findLoginName({});
    const flags = ["--budget", "2calls/month/user"];
    const developer = { folder, env: { USER: "another", LOGNAME: "another" }, flags };
    await using session = start(developer);
    expect(await countDelivered(session, 4)).toBe(2);
    await session.finish();
    for (const user of [username, ` ${username} `, "login"])
      expect([user, await play({ ...developer, env: { MCP_METER_USER: user } }, 1)]).toEqual([
        user,
        0,
      ]);
    const users = (type: string) =>
      recordsIn(folder, type)
        .map(({ user = "" }) => String(user))
        .toSorted();
    expect(users("session")).toEqual(["", username, username, username]);
    expect(users("breach")).toEqual(["", "", username, username, username]);
  });
});

describe("row 193: a counter goes on when the action of its budget changes", () => {
  for (const place of places) {
    test.if(place === "a file" || isThere)(`counters in ${place}`, async () => {
      using folder = new Folder();
      const env = countersIn(place);
      const withBudget = (...budgets: readonly string[]): Developer => ({
        folder,
        env,
        flags: budgets.flatMap((spec) => ["--budget", spec]),
      });
      expect(await play(withBudget("4calls/month:warn"), 3)).toBe(3);
      expect(await play(withBudget("4calls/month"), 3)).toBe(1);
      expect(await play(withBudget("6calls/month:throttle", "5calls/month:warn"), 3)).toBe(2);
    });
  }
});

describe("row 194: a budget in money", () => {
  test("without a price ends with 125 and says what to name", () => {
    using folder = new Folder();
    for (const [words, why] of [
      [["--budget", "$5/day"], "the price of the model is not known"],
      [["--model", "opus", "--budget", "$5/day"], 'the model "opus" has no list price'],
      [["--budget", "exa_*=$1/day"], "the price of the model is not known"],
    ] as const) {
      const { code, stderr } = runMeter([...words, "--", "true"], { stateDir: folder.path });
      expect([code, stderr]).toEqual([125, expect.stringContaining(why)]);
      expect(stderr).toContain(
        "--model claude-opus-5-5, or pass a file of prices with --prices FILE",
      );
    }
  });

  for (const place of places) {
    test.if(place === "a file" || isThere)(
      `is a ceiling for paid tools over meters, kills included: counters in ${place}${slowIf(place === "a file")}`,
      async () => {
        using folder = new Folder();
        const prices = folder.file("prices.json", '{ "tools": { "ec*": 0.01 } }');
        const env = countersIn(place);
        const flags = ["--prices", prices, "--budget", "echo=$0.05/month"];
        const developer = { folder, env, flags };
        const victim = start(developer);
        expect(await countDelivered(victim, 2)).toBe(2);
        victim.kill("SIGKILL");
        await victim[Symbol.asyncDispose]();
        expect(await play(developer, 2)).toBe(2);
        // A killed meter may have delivered all that it had pledged, which stays spent.
        expect(await play(developer, 4)).toBeLessThanOrEqual(1);
        const listed = runMeter(["budgets", "--json"], { env, stateDir: folder.at("state") });
        const [counter] = JSON.parse(listed.stdout).counters;
        expect(counter).toMatchObject({ unit: "dollars", limit: 0.05 });
        expect(counter.spent).toBeGreaterThanOrEqual(0.04);
        expect(counter.spent).toBeLessThanOrEqual(0.05);
      },
    );
  }

  test("counts tokens at the upper end of what a report shows", async () => {
    using folder = new Folder();
    const flags = [
      "--model",
      "claude-opus-4-5",
      "--as-client",
      "claude-code",
      "--budget",
      "$1/session",
    ];
    await using session = start({ folder, env: {}, flags, server: "honest" });
    await session.ask(initialize());
    await session.ask(call(1, "echo", { text: "what does this cost?" }));
    await session.finish();
    const [end] = recordsIn(folder, "end");
    const [state] = JSON.parse(JSON.stringify(end)).budgets;
    const prices = ["--cost", "--model", "claude-opus-4-5", "--json"];
    const report = runMeter(["report", "--by", "server", ...prices], {
      stateDir: folder.at("state"),
    });
    const [block] = JSON.parse(report.stdout).blocks;
    const { high } = block.totals.cost_usd;
    expect(state).toMatchObject({ unit: "dollars", limit: 1 });
    expect(state.spent).toBeCloseTo(high, 7);
    expect(state.prices).toMatch(/^genai-prices /);
  });
});

const post = (proxy: ServedProxy, user: string | undefined, name: string, id: number) =>
  fetch(proxy.url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "mcp-session-id": "one",
      ...(user === undefined ? {} : { "x-user": user }),
    },
    body: JSON.stringify(call(id, name, {})),
  });

describe("row 195: serve tells its users apart", () => {
  test("by a header, whose absence is one user more", async () => {
    using server = await startOverBudgetServer({
      echo: ({ id }) => whole(jsonHead, answerTo(id, "Hi")),
    });
    const options = ["--user-header", "X-User", "--budget", "2calls/month/user"];
    using proxy = await ServedProxy.start(server.url, options);
    const refused: Record<string, boolean[]> = {};
    for (const user of ["ann", "bob", undefined, "a\u00e9".repeat(1_000)]) {
      const answers: boolean[] = [];
      for (let id = 1; id <= 3; id += 1) {
        const answer = await post(proxy, user, "echo", id);
        answers.push((await answer.text()).includes("mcp-meter: echo was not run"));
      }
      refused[user?.slice(0, 3) ?? "(none)"] = answers;
    }
    const twice = [false, false, true];
    expect(refused).toEqual({ ann: twice, bob: twice, "(none)": twice, aéa: twice });
    const sessions = await proxy.records("session");
    const users = sessions.map(({ user }) => String(user).slice(0, 3)).toSorted();
    expect(users).toEqual(["ann", "aéa", "bob", "und"]);
    const report = runMeter(["report", "--by", "user", "--json"], {
      stateDir: proxy.folder.path,
    });
    const rows = JSON.parse(report.stdout).sum.tables[0].rows;
    expect(rows.map(({ user }: { user: string | null }) => user?.slice(0, 3))).toContain("ann");
  });

  test("a header that may hold a secret names no user", () => {
    using folder = new Folder();
    writeFileSync(folder.at("x"), "");
    for (const header of ["Authorization", "cookie", "two words", ""]) {
      const words = ["serve", "--url", "http://127.0.0.1:9/mcp", "--user-header", header];
      expect(runMeter(words, { stateDir: folder.path }).code).toBe(2);
    }
  });
});

describe.if(isThere)("row 197: a budget of the fleet that is nearly spent", () => {
  test("refuses a call that would only be withheld, before it runs, in each meter", async () => {
    using folder = new Folder();
    const env = countersIn("redis");
    const flags = ["--as-client", "claude-code", "--budget", "450/month"];
    const developer = { folder, env, flags, server: "honest" };
    await using session = start(developer);
    await session.ask(initialize());
    const text = "word ".repeat(100);
    const answers: string[] = [];
    for (let id = 1; id <= 6; id += 1)
      answers.push(JSON.stringify(await session.ask(call(id, "echo", { text: `${id} ${text}` }))));
    await session.finish();
    const refused = answers.filter((answer) => answer.includes("mcp-meter: echo was not run"));
    expect(answers.filter((answer) => answer.includes("was withheld"))).toEqual([]);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]).toMatch(/has no room for it: .*The budget refills in/);
    const ran = recordsIn(folder, "breach").map(({ did_run: didRun }) => didRun);
    expect(ran).toEqual(refused.map(() => false));
  });
});

describe.if(isThere)("row 198: a Redis that answers after 3 s", () => {
  for (const [timeout, isRefused] of [
    ["0.25", true],
    ["20", false],
  ] as const) {
    const fate = isRefused ? "refused" : "delivered";
    test(`--counter-timeout ${timeout}, closed: the call is ${fate}${slowIf(!isRefused)}`, async () => {
      using folder = new Folder();
      const policy = ["--on-counter-failure", "closed", "--counter-timeout", timeout];
      const flags = ["--budget", "9calls/month", ...policy];
      await using session = start({ folder, env: countersIn("redis"), flags });
      await session.ask(initialize());
      await session.ask(call(1, "echo", {}));
      redis?.ask("CLIENT", "PAUSE", "3000", "ALL");
      const answer = JSON.stringify(await session.ask(call(2, "echo", {})));
      expect(answer.includes("its counter cannot be reached")).toBe(isRefused);
      await session.finish();
    });
  }
});
