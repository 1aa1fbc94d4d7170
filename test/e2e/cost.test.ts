import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { readMember } from "#wire/json.ts";
import { priceCall, priceRewrite } from "#records/money/price-book.ts";
import { call, initialize } from "../support/rpc.ts";
import { fixture, metered, testMaxMs } from "../support/session.ts";
import { opus } from "../support/made-prices.ts";
import { executable } from "../support/servers.ts";
import { onlyLog, runMeter } from "./run.ts";
import { ownHome } from "./serving.ts";

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
    [[], "1 call by an unknown model (name it with --model NAME)"],
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

test("a server that turns its list between calls: the summary, reports and advice have what is written again", async () => {
  using home = ownHome();
  const client = new Client({ name: "host", version: "1" });
  const fixtureFile = join(import.meta.dir, "..", "fixtures", "lists-tools.ts");
  const server = [process.execPath, fixtureFile, "--turn", "plant", "water", "weed"];
  const args = ["--model", "claude-opus-5", "--", ...server];
  const env = { PATH: process.env["PATH"] ?? "", ...home.env };
  await client.connect(
    new StdioClientTransport({ command: executable(), args, env, stderr: "ignore" }),
  );
  const callTool = () => client.callTool({ name: "plant", arguments: {} });
  const listTools = () => client.request({ method: "tools/list" }, anyResult);
  await listTools();
  await callTool();
  await callTool();
  await listTools();
  await callTool();
  await client.close();
  const records = await onlyLog(home);
  const changes = records.filter((record) => record["type"] === "call").map(readListChange);
  expect(changes).toEqual([
    undefined,
    undefined,
    { kind: "order", rewritten_tokens: expect.any(Number) },
  ]);
  const tokens = Number(readMember(changes[2], "rewritten_tokens"));
  const rewritten = { rewritten_tokens: tokens, rewrite_usd: priceRewrite(tokens, opus) };
  const run = async (...words: string[]) => {
    const ended = await runMeter(home, ["report", ...words, ...home.logs()]);
    expect(ended).toMatchObject({ status: 0, stderr: "" });
    return ended.stdout;
  };
  const sentence = `changed 1 time between calls, so at least ~${tokens} tokens of the prompt were written to the cache again, ~$`;
  expect(await run("--cost")).toContain(sentence);
  expect(JSON.parse(await run("--cost", "--json"))).toMatchObject({
    list_changes: { changes: 1, ...rewritten },
  });
  expect(await run("--cost", "--by", "server")).toContain(sentence);
  expect(JSON.parse(await run("--cost", "--by", "server", "--json"))).toMatchObject({
    sum: { totals: { list_changes: 1, ...rewritten }, tables: [{ rows: [rewritten] }] },
  });
  expect(await run("--advice")).toContain(
    `2 different orders, and the order changed 1 time between calls, so at least ~${tokens} tokens of the prompt were written to the cache again; ask its author to sort them`,
  );
});

function readListChange(record: object): unknown {
  return readMember(record, "list_change");
}

const anyResult = {
  "~standard": { version: 1 as const, vendor: "test", validate: (value: unknown) => ({ value }) },
};
