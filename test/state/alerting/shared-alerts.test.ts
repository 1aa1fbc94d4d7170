import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { RedisKeys } from "#state/stores/redis/counter-script.ts";
import {
  type AlertClaims,
  claimLeaseMs,
  type ClaimState,
  findSharedAlert,
  openAlertClaims,
} from "#state/alerting/shared-alerts.ts";
import { Folder } from "../../support/folder.ts";
import { alertRecord, breachRecord } from "../../support/made-records.ts";
import { hasRedis, RedisServer } from "../../support/redis.ts";

const setting = (...specs: readonly string[]) => ({
  budgets: specs.map((spec) => parseBudget(spec, actions)),
  warnAtPercent: 80,
  counterOwner: "owner",
  user: "ann",
});

const ts = "2026-09-01T12:00:00.000Z";
const warning = (budget: string, facts: object = {}) =>
  alertRecord({ alert: "budget_warning", budget, tool: null, ts, ...facts });

const breachOf = (budget: string, tool: string) => breachRecord({ budget, tool, ts });

const keyOf = (...args: Parameters<typeof findSharedAlert>): string | undefined =>
  findSharedAlert(...args)?.key;

describe("findSharedAlert", () => {
  test("a warning is one for each counter, threshold and window", () => {
    const meters = setting("500k/day");
    const first = findSharedAlert(warning("500k/day"), meters);
    expect(first?.endsMs).toBe(Date.parse("2026-09-02T00:00:00Z"));
    const later = warning("500k/day", { ts: "2026-09-01T23:59:59.999Z", session_id: "other" });
    expect(findSharedAlert(later, meters)).toEqual(first);
    const others = [
      keyOf(warning("500k/day", { ts: "2026-09-02T00:00:00.000Z" }), meters),
      keyOf(warning("500k/day"), { ...meters, warnAtPercent: 50 }),
      keyOf(warning("500k/day"), { ...meters, counterOwner: "another server" }),
      keyOf(warning("600k/day"), setting("600k/day")),
      keyOf(breachRecord({ budget: "500k/day", ts }), meters),
    ];
    expect(new Set([first?.key, ...others]).size).toBe(6);
  });

  test("a budget of all servers is one for all of them; the unit and action as written do not matter", () => {
    const spent = warning("all=5M/day", { server: "a" });
    const same = keyOf({ ...spent, server: "b" }, { ...setting("all=5M/day"), counterOwner: "b" });
    expect(keyOf(spent, setting("all=5M/day"))).toBe(same ?? "");
    const short = keyOf(warning("all=5000k/day:warn"), setting("all=5000k/day:warn"));
    expect(short).toBe(same ?? "");
  });

  test("a budget per user is one for each user, whom the record may name", () => {
    const meters = setting("500k/day/user");
    const own = keyOf(warning("500k/day/user"), meters);
    expect(keyOf(warning("500k/day/user", { user: "ann" }), meters)).toBe(own ?? "");
    expect(keyOf(warning("500k/day/user", { user: "bob" }), meters)).not.toBe(own ?? "");
    expect(keyOf(warning("500k/day/user"), { ...meters, user: "bob" })).not.toBe(own ?? "");
  });

  test("a pattern has a counter for each tool, a budget of the server one for all", () => {
    const [tools, server] = [setting("get_*=5k/day"), setting("5k/day")];
    expect(keyOf(breachOf("get_*=5k/day", "get_a"), tools)).not.toBe(
      keyOf(breachOf("get_*=5k/day", "get_b"), tools) ?? "",
    );
    expect(keyOf(breachOf("5k/day", "get_a"), server)).toBe(
      keyOf(breachOf("5k/day", "get_b"), server) ?? "",
    );
  });

  test("alerts of one session are not shared, but a name that no server has is, for a day", () => {
    for (const spec of ["5k", "5k/session"]) {
      expect(findSharedAlert(warning(spec), setting(spec))).toBeUndefined();
    }
    expect(findSharedAlert(alertRecord({ alert: "heavy_call" }), setting())).toBeUndefined();
    const unknown = alertRecord({ alert: "unknown_tool", tool: "x", budget: "x=5", ts });
    expect(findSharedAlert(unknown, setting("x=5"))?.endsMs).toBe(Date.parse("2026-09-02T00:00Z"));
  });
});

const alert = (key: string) => ({ key, endsMs: Date.now() + 60_000 });

function countStates(states: readonly (ClaimState | undefined)[]): object {
  const groups = Map.groupBy(states, (state) => state);
  return Object.fromEntries([...groups].map(([state, group]) => [state, group.length]));
}

async function isGivenOnce(open: () => AlertClaims | undefined): Promise<void> {
  const meters = Array.from({ length: 20 }, () => open());
  const warned = alert(crypto.randomUUID());
  const states = await Promise.all(meters.map((claims) => claims?.claim(warned)));
  expect(countStates(states)).toEqual({ claimed: 19, ours: 1 });
  await meters[states.indexOf("ours")]?.confirm(warned);
  for (const claims of meters) expect(await claims?.claim(warned)).toBe("given");
  expect(await meters[0]?.claim(alert(crypto.randomUUID()))).toBe("ours");
  for (const claims of meters) claims?.close();
}

describe("claims in a folder", () => {
  test("of twenty meters one gives the alert", async () => {
    using folder = new Folder();
    await isGivenOnce(() => openAlertClaims(folder.path, undefined));
  });

  test("a claim of a meter that was killed is taken over after its lease, by one", async () => {
    using folder = new Folder();
    const open = () => openAlertClaims(folder.path, undefined);
    const warned = alert("k");
    expect(await open()?.claim(warned)).toBe("ours");
    const claims = join(folder.path, "alerts");
    const stale = new Date(Date.now() - claimLeaseMs - 1_000);
    for (const name of readdirSync(claims)) utimesSync(join(claims, name), stale, stale);
    const states = await Promise.all(Array.from({ length: 5 }, () => open()?.claim(warned)));
    expect(countStates(states)).toEqual({ claimed: 4, ours: 1 });
  });

  test("files of windows that are over go; without a folder each meter gives its own", async () => {
    using folder = new Folder();
    const claims = openAlertClaims(folder.path, undefined);
    const over = { key: "over", endsMs: Date.now() - 4_000_000 };
    await claims?.claim(over);
    writeFileSync(join(folder.path, "alerts", "2024-holiday.jpg"), "");
    await claims?.claim(alert("now"));
    const left = readdirSync(join(folder.path, "alerts")).toSorted();
    expect(left).toEqual([expect.stringMatching(/^\d{13}-/), "2024-holiday.jpg"]);
    writeFileSync(join(folder.path, "file"), "");
    const blocked = openAlertClaims(join(folder.path, "file"), undefined);
    expect(await blocked?.claim(alert("k"))).toBe("ours");
    expect(openAlertClaims(undefined, undefined)).toBeUndefined();
  });
});

const isThere = hasRedis("one alert for all meters of a Redis");
let redis: RedisServer | undefined;
beforeAll(async () => {
  if (isThere) redis = await RedisServer.start();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

const openRedis = (port = redis?.port ?? 0, fleet = "default") => {
  const address = {
    host: "127.0.0.1",
    port,
    isEncrypted: false,
    user: undefined,
    password: undefined,
    database: 0,
  };
  return openAlertClaims(undefined, { address, fleet });
};

describe.if(isThere)("claims in a Redis", () => {
  test("of twenty meters one gives the alert; another fleet gives its own", async () => {
    await isGivenOnce(openRedis);
    const warned = alert("fleet");
    expect(await openRedis()?.claim(warned)).toBe("ours");
    expect(await openRedis(redis?.port, "other")?.claim(warned)).toBe("ours");
  });

  test("a claim ends with its lease, what was given with its window", async () => {
    const claims = openRedis();
    const warned = alert("lease");
    await claims?.claim(warned);
    const key = new RedisKeys("default").alert(warned.key);
    expect(Number(redis?.ask("PTTL", key)[0])).toBeLessThanOrEqual(claimLeaseMs);
    redis?.ask("DEL", key);
    await claims?.claim(warned);
    await claims?.confirm(warned);
    expect(Number(redis?.ask("PTTL", key)[0])).toBeGreaterThan(60_000);
    claims?.close();
  });

  test("a Redis that is not there lets each meter give its own", async () => {
    const claims = openRedis(1);
    expect(await claims?.claim(alert("k"))).toBe("ours");
    await claims?.confirm(alert("k"));
    claims?.close();
  });
});
