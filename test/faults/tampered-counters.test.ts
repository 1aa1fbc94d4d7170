import { Database } from "bun:sqlite";
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { eventually } from "../support/wait.ts";
import { call } from "../support/rpc.ts";
import { hasRedis, RedisServer } from "../support/redis.ts";
import { fixture, metered, runMeter, type Session, testMaxMs } from "../support/session.ts";
import { eachFirst } from "../support/slow-cases.ts";

setDefaultTimeout(testMaxMs);

const server = fixture("answers.sh");
const isRefused = (answer: object): boolean => JSON.stringify(answer).includes('"isError":true');

const told = (session: Session): string[] =>
  session.stderr.text.split("\n").filter((line) => line.includes("budget counters"));

async function fates(session: Session, calls: number): Promise<string> {
  let all = "";
  for (let id = 1; id <= calls; id += 1)
    all += isRefused(await session.ask(call(id, "echo", {}))) ? "R" : "P";
  return all;
}

function limited(state: string, policy = "local"): Session {
  const flags = ["--budget", "3calls/month", "--on-counter-failure", policy];
  return metered(server, { env: { XDG_STATE_HOME: state }, flags });
}

async function tampered(...statements: readonly string[]): Promise<Session> {
  const first = metered(server, { flags: ["--budget", "3calls/month"] });
  expect(await fates(first, 2)).toBe("PP");
  await first.finish();
  using database = new Database(join(first.stateDir, "mcp-meter", "budget-counters.sqlite"));
  for (const statement of statements) database.run(statement);
  return first;
}

const endless =
  "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x FROM c) SELECT x FROM c WHERE x > 5";

describe("row 170: a file of counters that has something to run", () => {
  const forms: readonly (readonly [form: string, statements: readonly string[]])[] = [
    [
      "a view in place of a table",
      [
        "DROP TABLE counters",
        `CREATE VIEW counters AS SELECT 'k' AS key, 'month' AS per, 1 AS most, x AS window, 1 AS spent, 1 AS held FROM (${endless})`,
      ],
    ],
    [
      "a trigger",
      [
        `CREATE TRIGGER t AFTER INSERT ON counters BEGIN INSERT INTO servers SELECT 'a', 'b', x FROM (${endless}); END`,
      ],
    ],
    [
      "a trigger that gives everything back",
      ["CREATE TRIGGER t AFTER INSERT ON counters BEGIN UPDATE counters SET spent = 0; END"],
    ],
  ];
  eachFirst(1, forms)(
    "row 170: %s → nothing hangs, the session counts by itself, one line",
    async (_form, statements) => {
      await using home = await tampered(...statements);
      await using session = limited(home.stateDir);
      expect(await fates(session, 4)).toMatch(/^P+R+$/);
      await session.finish();
      expect(told(session)).toEqual([expect.stringContaining("damaged")]);
      expect(runMeter(["budgets"], home)).toMatchObject({ code: 2, stdout: "" });
      expect(runMeter(["doctor"], home).stdout).toContain("its content is damaged");
    },
  );
});

describe("row 171: amounts that no meter writes", () => {
  eachFirst(2, [
    "spent = -1000000",
    "held = -1000000",
    "spent = 'all'",
    "held = x'00'",
    "spent = 1e300",
  ])("row 171: %s → one line, and the session counts by itself", async (change) => {
    await using home = await tampered(`UPDATE counters SET ${change}`);
    await using session = limited(home.stateDir);
    expect(await fates(session, 4)).toBe("PPPR");
    await session.finish();
    expect(told(session)).toEqual([expect.stringContaining("its content is damaged")]);
  });

  test("row 171: under the policy closed the session refuses, and budgets says why", async () => {
    await using home = await tampered("UPDATE counters SET spent = 1e300");
    await using closed = limited(home.stateDir, "closed");
    expect(await fates(closed, 1)).toBe("R");
    await closed.finish();
    expect(runMeter(["budgets"], home).stderr).toContain("its content is damaged");
  });
});

const isThere = hasRedis("rows 172 to 173");

function fleet(redis: Pick<RedisServer, "url">): Session {
  const flags = ["--server", "garden", "--budget", "4calls/month"];
  return metered(server, { env: { MCP_METER_COUNTERS: redis.url }, flags });
}

function counterIn(redis: RedisServer): string {
  const key = redis.ask("KEYS", "*:counter:*").find((one) => !one.endsWith(":holders"));
  if (key === undefined) throw new Error("there is no counter");
  return key;
}

const written = (redis: RedisServer, spent: number) =>
  eventually(`${spent} are written`, () => {
    return redis.ask("HGET", counterIn(redis), "spent")[0] === String(spent);
  });

describe.if(isThere)("row 172: a counter in Redis with what no meter writes", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  eachFirst(2, [
    ["spent", "nan"],
    ["held", "x"],
    ["spent", "-1000000"],
    ["spent", "all"],
    ["window", ""],
    ["h:other", "anything"],
    ["born", "never"],
  ])(
    "row 172: %s is %j → no meter that knew it passes the limit, and it is used again",
    async (field, value) => {
      redis.ask("FLUSHALL");
      await using session = fleet(redis);
      expect(await fates(session, 2)).toBe("PP");
      await written(redis, 2);
      redis.ask("HSET", counterIn(redis), field, value);
      redis.ask("ZADD", `${counterIn(redis)}:holders`, "1", "other");
      redis.ask("ZADD", "mcp-meter:{default}:counters", "9e15", "key of another program");
      redis.ask("SET", "key of another program", "");
      expect(await fates(session, 4)).toBe("PPRR");
      await session.finish();
      expect(told(session).filter((line) => line.includes("Cannot"))).toEqual([]);
      const listed = runMeter(["budgets", "--json", "--counters", redis.url]);
      expect(JSON.parse(listed.stdout).counters).toMatchObject([{ spent: 4, held: 0 }]);
    },
  );
});

describe.if(isThere)("row 173: a Redis that is reached, and fails each time", () => {
  test("row 173: one line and one fault record, until it works again (slow)", async () => {
    await using redis = await RedisServer.start();
    await using session = fleet(redis);
    expect(await fates(session, 1)).toBe("P");
    await written(redis, 1);
    const counter = counterIn(redis);
    redis.ask("RENAME", counter, "saved");
    redis.ask("SET", counter, "of another program");
    expect(await fates(session, 1)).toBe("P");
    const failures = /cmdstat_evalsha:.*failed_calls=([3-9])/;
    await eventually("it has been tried again", () =>
      failures.test(redis.ask("INFO", "commandstats").join(" ")),
    );
    expect(told(session)).toEqual([
      expect.stringContaining("another program has written to the keys of mcp-meter"),
    ]);
    redis.ask("RENAME", "saved", counter);
    await eventually("it is used again", () => told(session).length > 1);
    await session.finish();
    expect(session.records("fault")).toHaveLength(1);
    expect(told(session)).toHaveLength(2);
  });
});
