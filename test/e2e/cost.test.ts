import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { priceCall } from "#records/money/price-book.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, testMaxMs } from "../support/session.ts";
import { opus } from "../support/made-prices.ts";

setDefaultTimeout(testMaxMs);

test("--cost: the summary has the cost of its calls at the list prices of --model", async () => {
  await using session = metered(fixture("honest"), {
    flags: ["--cost", "--model", "claude-opus-5", "--summary", "json", "--summary-file", "s.json"],
  });
  await session.ask(initialize());
  await session.ask(call(1, "echo", { text: "an order left the warehouse in Basel at noon" }));
  expect(await session.finish()).toEqual({ code: 0, signal: null });
  const { total, cost } = JSON.parse(readFileSync(`${session.dir}/s.json`, "utf8"));
  expect(cost.prices).toMatch(/^genai-prices \d/);
  expect(cost.unpriced).toEqual([]);
  expect(total.output_tokens).toBeGreaterThan(5);
  const tokens = { argumentTokens: total.input_tokens, answerTokens: total.output_tokens };
  expect(total.cost_usd).toEqual(priceCall(tokens, opus));
});

test("--cost for a person: an amount with its origin, or the reason why there is none", async () => {
  for (const [flags, text] of [
    [["--model", "claude-opus-5"], "at list prices (genai-prices"],
    [[], "1 call of an unknown model (name it with --model NAME)"],
    [["--model", "mine", "--prices", "p.json"], "at list prices (p.json; genai-prices"],
  ] as const) {
    await using session = metered(fixture("honest"), {
      flags: ["--cost", ...flags],
      prepare: (dir) => writeFileSync(`${dir}/p.json`, '{"mine": {"in": 1, "out": 2}}'),
    });
    await session.ask(initialize());
    await session.ask(call(1, "echo", { text: "x" }));
    await session.finish();
    expect(session.stderr.text).toContain(text);
  }
});
