import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { refusalTokensMax } from "#kit/limits.ts";
import { call } from "../support/rpc.ts";
import { fixture, metered, runMeter, testMaxMs } from "../support/session.ts";

setDefaultTimeout(testMaxMs);

const sizes = [40, 4_000, 200, 12_000, 40, 4_000, 900, 40, 300];

type Played = {
  readonly breaches: number;
  readonly answerTokens: number;
  readonly replayed: { readonly breaches: number; readonly spared_tokens: number };
};

async function played(flags: readonly string[], budget: string): Promise<Played> {
  const all = ["--summary", "off", "--tokenizer", "chars4", "--exit-code", "child", ...flags];
  await using session = metered(fixture("answers-at-length"), { flags: all });
  for (const [at, bytes] of sizes.entries()) {
    await session.ask(call(at, at % 3 === 2 ? "other" : "answer", { bytes }));
  }
  await session.finish();
  const { records } = session.log();
  const ofType = (type: string) => records.filter((record) => record.type === type);
  const sum = (name: string): number =>
    ofType("call").reduce((tokens, record) => tokens + Number(record[name]), 0);
  const { stdout } = runMeter(
    ["report", ...session.logPaths, "--what-if", budget, "--json"],
    session,
  );
  return {
    breaches: new Set(ofType("breach").map((record) => record["request_id"])).size,
    answerTokens: sum("output_tokens"),
    replayed: JSON.parse(stdout).budgets[0],
  };
}

async function advised(tools: readonly string[], flags: readonly string[] = []) {
  const all = ["--summary", "off", "--tokenizer", "chars4", "--exit-code", "child", ...flags];
  await using session = metered(fixture("answers-at-length"), { flags: all });
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

describe("a replayed budget breaches as often as in a session, and spares at least what it says", () => {
  test.each([
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
  ])("%s", async (budget) => {
    const [without, under] = [await played([], budget), await played(["--budget", budget], budget)];
    const { breaches, spared_tokens: spared } = without.replayed;
    expect([budget, breaches]).toEqual([budget, under.breaches]);
    const read = without.answerTokens - under.answerTokens;
    expect(read - spared).toBeGreaterThanOrEqual(0);
    expect(read - spared).toBeLessThanOrEqual(breaches * refusalTokensMax);
  });
});
