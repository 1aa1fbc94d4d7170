import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { get_encoding } from "tiktoken";
import { version } from "#kit/version.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { readDefinitions, replay, scratch, variousDefinitions } from "../support/replay.ts";
import { eachHome } from "./each-home.ts";
import { onlyLog, runMeter } from "./run.ts";

const oracle = get_encoding("o200k_base");
const tokensOf = (text: string): number => oracle.encode_ordinary(text).length;

const home = eachHome();

function lines(clientName: string, ...more: readonly object[]): string {
  const clientInfo = { name: clientName, version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  const messages = [
    { id: 0, method: "initialize", params },
    { method: "notifications/initialized" },
    { id: 1, method: "tools/list", params: {} },
    ...more,
  ];
  return messages.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join("");
}

async function listed(file: string, clientName = "host", ...flags: readonly string[]) {
  const options = ["--tokenizer", "o200k", "--summary", "off", ...flags];
  const { status } = await runMeter(home, [...options, "--", ...replay(file)], {
    input: lines(clientName),
  });
  expect(status).toBe(0);
  return (await onlyLog(home)).find(({ type }) => type === "definitions");
}

function expectedTool({
  name = "",
  description = "",
  inputSchema,
}: Readonly<Record<string, unknown>>) {
  const counts = {
    name_tokens: tokensOf(String(name)),
    description_tokens: tokensOf(String(description)),
    schema_tokens: inputSchema === undefined ? 0 : tokensOf(canonicalizeJson(inputSchema)),
  };
  const tokens = counts.name_tokens + counts.description_tokens + counts.schema_tokens;
  return { name, ...counts, tokens };
}

describe("definitions of the captured servers", () => {
  const servers = variousDefinitions();

  test("are there to be counted, or this says that they are not", () => {
    if (servers.length === 0) console.warn("Skipping the captured servers: they are not there");
  });

  for (const { name, file } of servers) {
    test(`${name}: as tiktoken counts them`, async () => {
      const { tools, instructions = "" } = readDefinitions(file);
      const expected = tools.map(expectedTool);
      const record = await listed(file);
      expect(record).toMatchObject({
        tools: expected,
        tools_total: tools.length,
        total_tokens: expected.reduce((sum, tool) => sum + tool.tokens, 0),
        instructions_tokens: tokensOf(instructions),
      });
    });
  }
});

describe("clients that load definitions on demand", () => {
  const folder = scratch();
  const tools = ["search", "fetch"].map((name) => ({
    name,
    description: `Will ${name} for you whatever you want`,
    inputSchema: { type: "object", properties: { query: { type: "string" } } },
  }));
  const file = folder.write("two.json", { server: "two", instructions: "Be brief", tools });
  const all = tools.map(expectedTool).reduce((sum, tool) => sum + tool.tokens, 0);
  const names = tokensOf("mcp__server__search\n") + tokensOf("mcp__server__fetch\n");

  test.each([
    ["host", [], all, false],
    ["claude-code", [], names, true],
    ["host", ["--as-client", "claude-code"], names, true],
    ["claude-code", ["--as-client", "Zed"], all, false],
  ])("%s with %j", async (client, flags, resident, isDeferred) => {
    expect(await listed(file, client, ...flags)).toMatchObject({
      total_tokens: all,
      resident_tokens: resident + tokensOf("Be brief"),
      is_deferred: isDeferred,
    });
  });

  test("prices of another build are not used, even of the same version", async () => {
    const right = await listed(file);
    const prices = join(home.path, "state/mcp-meter/definition-prices.json");
    const saved = JSON.parse(readFileSync(prices, "utf8")) as { prices: [key: string][] };
    const wrong = saved.prices.map(([key]) => [key, 9, 9, 9, 9]);
    writeFileSync(prices, JSON.stringify({ ...saved, version, prices: wrong }));
    for (const log of home.logs()) rmSync(log);
    expect(await listed(file)).toMatchObject({ total_tokens: right?.["total_tokens"] });
    expect(wrong).not.toEqual([]);
  });
});
