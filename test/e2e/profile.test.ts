import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientNamed } from "../support/clients.ts";
import { replay, scratch, variousDefinitions } from "../support/replay.ts";
import { everything, filesystem, memory, metered, modern } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { ownSchema } from "../support/report-schemas.ts";
import { readRecords, runMeter } from "./run.ts";

const home = eachHome();

const folder = scratch();
const validate = ownSchema("profile");

type Printed = {
  readonly server: { readonly name: string; readonly era: string };
  readonly definitions: { readonly total_tokens: number; readonly tools: number };
  readonly tools: readonly {
    readonly name: string;
    readonly tokens: number;
    readonly sha256: string;
  }[];
};

async function profiled(
  command: readonly string[],
  env: Record<string, string> = {},
): Promise<Printed> {
  const { stdout, status } = await runMeter(
    home,
    ["profile", "--timeout", "15", "--format", "json", "--", ...command],
    { env },
  );
  expect(status).toBe(0);
  const printed: Printed = JSON.parse(stdout);
  validate(printed);
  expect(validate.errors).toBeNull();
  return printed;
}

function hashesOf({ tools }: Printed): string[] {
  return tools.map(({ sha256 }) => sha256);
}

describe("profile counts what run records", () => {
  const servers = [
    ["server-everything", "sdk-v1", () => everything()],
    ["server-filesystem", "sdk-v1", () => filesystem(folder.path)],
    ["server-memory", "sdk-v1", () => memory(join(folder.path, "memory.jsonl"))],
    ["a server of the 2026 era", "sdk-v2-modern", () => modern()],
  ] as const;

  test.each(servers)("%s (slow)", async (_, client, make) => {
    const server = make();
    const printed = await profiled(server.argv, server.env);
    const wrapped = metered(server, ["--summary", "off"]);
    const options = { ...wrapped, env: { ...wrapped.env, ...home.env } };
    const connection = await clientNamed(client).connect(options);
    await connection.listTools();
    await connection.close();
    const records = await readRecords(home.logs());
    const lists = records.filter(({ type }) => type === "definitions");
    const newest = (lists.at(-1)?.["tools"] ?? []) as Printed["tools"];
    const recorded = newest.map(({ name, tokens, sha256 }) => ({ name, tokens, sha256 }));
    // A client with more capabilities may be shown more tools than we are.
    for (const { name, tokens, sha256 } of printed.tools) {
      expect(recorded).toContainEqual({ name, tokens, sha256 });
    }
    expect(printed.tools.length).toBeGreaterThan(3);
    const same = lists.find((list) => list["tools_total"] === printed.definitions.tools);
    if (same) expect<unknown>(same["total_tokens"]).toBe(printed.definitions.total_tokens);
  });
});

describe("profile of collected definitions", () => {
  const collected = variousDefinitions();
  if (collected.length === 0) {
    test("is left out: the collection is not here", () => console.warn("no collected definitions"));
  }
  test.each(collected)("$name, in both eras and whatever the order of keys", async ({ file }) => {
    const [legacyEra, modernEra] = await Promise.all([
      profiled(replay(file)),
      profiled(replay(file, "--modern", "--shuffle", "--pages")),
    ]);
    expect([legacyEra.server.era, modernEra.server.era]).toEqual(["legacy", "modern"]);
    expect(hashesOf(modernEra)).toEqual(hashesOf(legacyEra));
  });
});

const tool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: "object" },
});

test("profile --compare prints the difference from an earlier profile", async () => {
  const first = folder.write("first.json", {
    server: "one",
    tools: [tool("a", "Reads."), tool("b", "Lists.")],
  });
  const next = folder.write("next.json", {
    server: "one",
    tools: [tool("a", "Reads a file, whole or in part."), tool("c", "Lists.")],
  });
  const before = await runMeter(home, ["profile", "--format", "json", "--", ...replay(first)]);
  const earlier = folder.write("before.json", before.stdout);
  const compared = ["profile", "--compare", earlier];
  const { stdout, status } = await runMeter(home, [...compared, "--", ...replay(next)]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^a +~8 +~15 +\+7$/m);
  expect(stdout).toMatch(/^b +~\d+ +removed +-\d+$/m);
  expect(stdout).toMatch(/^c +new +~\d+ +\+\d+$/m);
  const json = await runMeter(home, [...compared, "--format", "json", "--", ...replay(next)]);
  validate(JSON.parse(json.stdout));
  expect(validate.errors).toBeNull();
  expect(JSON.parse(json.stdout).comparison.tools).toHaveLength(3);
  const other = await runMeter(home, [...compared, "--tokenizer", "chars4", "--", ...replay(next)]);
  expect(other).toMatchObject({ status: 2, stdout: "" });
  expect(other.stderr).toContain("it was counted with o200k, but this run uses chars4");
  const torn = folder.write("torn.json", "{}");
  const bad = await runMeter(home, ["profile", "--compare", torn, "--", "true"]);
  expect(bad).toMatchObject({ status: 2, stdout: "" });
  expect(bad.stderr).toContain("Cannot read the profile");
});

test("profile --budget names the tools whose largest answer exceeds it", async () => {
  const server = folder.write("sizes.json", {
    server: "one",
    tools: [
      { ...tool("large", "Reads."), _meta: { "anthropic/maxResultSizeChars": 35_000 } },
      { ...tool("small", "Reads."), _meta: { "anthropic/maxResultSizeChars": 3_500 } },
      tool("open", "Reads."),
    ],
  });
  const prices = folder.write("prices.json", { coder: { in: 10, out: 20 } });
  const profile = (...options: readonly string[]) =>
    runMeter(home, ["profile", ...options, "--", ...replay(server)]);
  const { stdout, status } = await profile("--json", "--budget", "2k", "--budget", "smal?=1k");
  expect(status).toBe(1);
  validate(JSON.parse(stdout));
  expect(validate.errors).toBeNull();
  const large = { tool: "large", tokens: 10_000, source: "declared" };
  expect(JSON.parse(stdout).budgets).toMatchObject([
    { budget: "2k", tools: 3, unknown: 1, over: [large] },
    { budget: "smal?=1k", tools: 1, unknown: 0, over: [] },
  ]);
  const named = ["--model", "coder", "--prices", prices];
  const money = await profile("--budget", "$0.05", ...named);
  expect(money.status).toBe(1);
  expect(money.stdout).toContain("over    large: ~$0.10 of $0.05, declared\n");
  expect(await profile("--budget", "$0.1", ...named)).toMatchObject({ status: 0 });
  for (const [budget, sentence] of [
    ["$0.1", "Cannot use the budget $0.1: the price of the model is not known"],
    ["2k/session", 'the budget "2k/session": it must limit each call, not each session'],
    ["smal=2k", 'did you mean "small"?'],
  ] as const) {
    const refused = await profile("--budget", budget);
    expect(refused).toMatchObject({ status: 2, stdout: "" });
    expect(refused.stderr).toContain(sentence);
  }
});

test("profile prints a server without tools, as docs/exit-codes.md says", async () => {
  const file = folder.write("none.json", { server: "none", tools: [] });
  expect(await runMeter(home, ["profile", "--", ...replay(file)])).toMatchObject({ status: 0 });
  for (const command of [["lock"], ["check", "--no-lock", "--max-total", "9k"]]) {
    expect(await runMeter(home, [...command, "--", ...replay(file)])).toMatchObject({ status: 3 });
  }
  const document = readFileSync(join(import.meta.dir, "..", "..", "docs", "exit-codes.md"), "utf8");
  expect(document).toContain("`profile` prints a server without tools");
});
