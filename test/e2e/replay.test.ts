import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { call } from "../support/rpc.ts";
import { fixture, metered, runMeter, type Session, testMaxMs } from "../support/session.ts";
import { refusalTokensMax } from "#history/reports/replay/budget-replay.ts";

setDefaultTimeout(testMaxMs);

const sizes = [40, 4_000, 200, 12_000, 40, 4_000, 900, 40, 300];

const flagsOfAll = ["--summary", "off", "--tokenizer", "chars4", "--exit-code", "child"];

async function played(flags: readonly string[]): Promise<Session> {
  const session = metered(fixture("answers-at-length"), { flags: [...flagsOfAll, ...flags] });
  for (const [at, bytes] of sizes.entries()) {
    await session.ask(call(at, at % 3 === 2 ? "other" : "answer", { bytes }));
  }
  await session.finish();
  return session;
}

const answerTokens = (session: Session): number =>
  session.records("call").reduce((sum, record) => sum + Number(record["output_tokens"]), 0);

async function advised(tools: readonly string[], flags: readonly string[] = []) {
  await using session = metered(fixture("answers-at-length"), {
    flags: [...flagsOfAll, ...flags],
  });
  for (const [at, tool] of tools.entries()) await session.ask(call(at, tool, { bytes: 2_000 }));
  await session.finish();
  const calls = session.log().records.filter(({ type }) => type === "call");
  const { stdout } = runMeter(["report", ...session.logPaths, "--advice", "--json"], session);
  const advice: readonly { readonly [name: string]: unknown }[] =
    JSON.parse(stdout).blocks[0].advice;
  return {
    answerTokens: calls.reduce((sum, record) => sum + Number(record["output_tokens"]), 0),
    refused: calls.filter(({ outcome }) => outcome === "refused").length,
    repeated: advice.filter(({ kind }) => kind === "repeated_calls"),
  };
}

test("the advice to limit repeats spares at most what the option really spares", async () => {
  const row = ["answer", "answer", "answer", "answer", "other", "other", "other", "answer"];
  const [without, under] = [await advised(row), await advised(row, ["--max-repeats", "2"])];
  expect(under.refused).toBe(3);
  expect(without.repeated).toMatchObject([{ tool: null, calls: 3 }]);
  const rest = without.answerTokens - under.answerTokens - Number(without.repeated[0]?.["tokens"]);
  expect(rest).toBeGreaterThanOrEqual(0);
  expect(rest).toBeLessThanOrEqual(3 * refusalTokensMax);
  expect((await advised(["answer", "other", "answer", "other", "answer"])).repeated).toEqual([]);
});

const budgets = [
  "answer=500",
  "answer=500:truncate",
  "answer=500:spill",
  "answer=500:warn",
  "answer=1200/session",
  "answer=1200/session:truncate",
  "answer=2calls/session",
  "*=600/month",
  "1500/session",
  "1500/session:truncate",
  "all=1500/month",
  "other=0",
  "answer=5",
  "5calls/month:warn",
];

type Replayed = { readonly breaches: number; readonly spared_tokens: number };

describe("a replayed budget breaches as often as in a session, and spares at least what it says", () => {
  let withoutTokens = 0;
  const replayed = new Map<string, Replayed>();
  beforeAll(async () => {
    await using session = await played([]);
    withoutTokens = answerTokens(session);
    for (const budget of budgets) {
      const args = ["report", ...session.logPaths, "--what-if", budget, "--json"];
      replayed.set(budget, JSON.parse(runMeter(args, session).stdout).budgets[0]);
    }
  });

  const titles = budgets.map((budget, at) => [at % 2 === 0 ? budget : `${budget} (slow)`, budget]);
  test.each(titles)("%s", async (_, budget = "") => {
    await using session = await played(["--budget", budget]);
    const breaches = new Set(session.records("breach").map((record) => record["request_id"])).size;
    expect(replayed.get(budget)?.breaches).toBe(breaches);
    const read = withoutTokens - answerTokens(session);
    const spared = Number(replayed.get(budget)?.spared_tokens);
    expect(read - spared).toBeGreaterThanOrEqual(0);
    expect(read - spared).toBeLessThanOrEqual(breaches * refusalTokensMax);
  });
});
