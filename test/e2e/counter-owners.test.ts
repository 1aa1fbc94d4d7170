import { expect, setDefaultTimeout, test } from "bun:test";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, runMeter, type Session, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

async function isRefused(
  home: Session,
  server: readonly string[],
  ...flags: readonly string[]
): Promise<boolean> {
  const env = { XDG_STATE_HOME: home.stateDir };
  await using session = metered(server, { env, flags });
  await session.ask(initialize(0));
  const answer = await session.ask(call(1, "echo", {}));
  await session.finish();
  return JSON.stringify(answer).includes('"isError":true');
}

const server = fixture("honest");
const once = ["--budget", "1calls/month"];

test("two servers that the same program starts do not share, two sessions of one do", async () => {
  await using home = metered(server);
  expect(await isRefused(home, [...server, "one"], ...once)).toBe(false);
  expect(await isRefused(home, [...server, "other"], ...once)).toBe(false);
  expect(await isRefused(home, [...server, "one"], ...once)).toBe(true);
});

test("--server shares by name, all= by user", async () => {
  await using home = metered(server);
  const named = ["--server", "garden", ...once];
  expect(await isRefused(home, [...server, "one"], ...named)).toBe(false);
  expect(await isRefused(home, [...server, "other"], ...named)).toBe(true);
  const overall = ["--budget", "all=1calls/week"];
  expect(await isRefused(home, [...server, "one"], ...overall)).toBe(false);
  expect(await isRefused(home, [...server, "other"], ...overall)).toBe(true);
});

test("budgets lists a counter under the name that its server has in records", async () => {
  await using home = metered(server);
  await isRefused(home, server, ...once, "--budget", "all=9calls/month");
  const recorded = home.records("session").map((record) => record["server"]);
  const { counters } = JSON.parse(runMeter(["budgets", "--json"], home).stdout);
  expect(counters.map((counter: { server: string | null }) => counter.server)).toEqual([
    ...recorded,
    null,
  ]);
  expect(recorded).toHaveLength(1);
});
