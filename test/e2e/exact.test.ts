import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { ImitatedMaker, imitatedPerList } from "../support/imitated-maker.ts";
import { memory } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, onlyLog, runMeter } from "./run.ts";

const key = "sk-canary-5f0e";
const model = "claude-opus-5";

const home = eachHome();
let maker: ImitatedMaker;
beforeEach(() => {
  maker = new ImitatedMaker();
});
afterEach(() => {
  maker[Symbol.dispose]();
});

const env = () => ({
  ANTHROPIC_API_KEY: key,
  GEMINI_API_KEY: key,
  ANTHROPIC_BASE_URL: maker.url,
  GOOGLE_GEMINI_BASE_URL: maker.url,
});

const server = () => memory(join(home.path, "memory.jsonl")).argv;

function validator(file: string): (value: unknown) => unknown {
  const schema: object = JSON.parse(readFileSync(join(import.meta.dir, "../../src", file), "utf8"));
  const ajv = addFormats(new Ajv2020({ allErrors: true, allowUnionTypes: true }));
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? null : validate.errors);
}

const session = [
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "a-client", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
]
  .map((message) => `${JSON.stringify(message)}\n`)
  .join("");

const ownLines = (stderr: string) => stderr.replaceAll(/^(?!mcp-meter:).*\n/gm, "");

async function profileExactly(...more: readonly string[]) {
  const args = ["profile", "--exact", "--model", model, ...more, "--", ...server()];
  return runMeter(home, args, { env: env() });
}

describe("profile --exact", () => {
  test("prints the maker's prices, which add up, and run uses them for the same model (slow)", async () => {
    const { stdout, stderr, status } = await profileExactly("--format", "json");
    expect([ownLines(stderr), status]).toEqual(["", 0]);
    const printed = JSON.parse(stdout);
    expect(validator("screens/renderers/profile.schema.json")(printed)).toBeNull();
    const { definitions, tools } = printed;
    const own = tools.reduce((sum: number, { tokens }: { tokens: number }) => sum + tokens, 0);
    expect(definitions).toMatchObject({
      total_tokens: own + imitatedPerList,
      counted_by: { maker: "anthropic", model },
    });
    const requests = maker.asked.length;
    expect(requests).toBe(tools.length + 5);

    const run = ["--model", model, "--", ...server()];
    const ran = await runMeter(home, run, { input: session, env: env() });
    expect(ran.stderr).toContain(
      "counted by  anthropic ●●● (the maker of claude-opus-5); definitions only",
    );
    const record = (await onlyLog(home)).find(({ type }) => type === "definitions");
    expect(record).toMatchObject({
      total_tokens: definitions.total_tokens,
      counted_by: { maker: "anthropic", model },
    });
    expect(validator("records/record.schema.json")(record)).toBeNull();
    await profileExactly();
    expect(maker.asked).toHaveLength(requests);
  });

  test("the table marks parts as estimates and wholes as exact", async () => {
    const { stdout } = await profileExactly();
    expect(stdout).toMatch(/^definitions +9 tools, [\d,]+ tokens/m);
    expect(stdout).toMatch(/^create_entities +[\d,]+ +~/m);
    expect(stdout).toContain("anthropic ●●● (the maker of claude-opus-5); definitions only");
  });

  test("is not compared with an estimated profile (slow)", async () => {
    const file = join(home.path, "before.json");
    const args = ["profile", "--model", model, "--format", "json", "--", ...server()];
    await Bun.write(file, (await runMeter(home, args)).stdout);
    const { stderr, status } = await profileExactly("--compare", file);
    expect([ownLines(stderr), status]).toEqual([
      `mcp-meter: Cannot compare with the profile "${file}": its definitions were counted by claude, the current ones by anthropic for claude-opus-5\n`,
      2,
    ]);
  });

  test("without a key says so before the server starts", async () => {
    const args = ["profile", "--exact", "--model", model, "--", "no-such-program"];
    const { stderr, status } = await runMeter(home, args, { env: { ANTHROPIC_API_KEY: "" } });
    expect([stderr, status]).toEqual([
      "mcp-meter: Cannot ask Anthropic for exact counts: set ANTHROPIC_API_KEY\n",
      2,
    ]);
  });
});

test("count --exact counts a text and the same list as profile (slow)", async () => {
  const list = await runMeter(
    home,
    ["profile", "--exact", "--model", model, "--format", "json", "--", ...server()],
    { env: env() },
  );
  const text = join(home.path, "a.txt");
  await Bun.write(text, "hello world");
  const { stdout, status } = await runMeter(home, ["count", "--exact", "--model", model, text], {
    env: env(),
  });
  expect([stdout, status]).toEqual(["11\n", 0]);
  const json = await runMeter(home, ["count", "--exact", "--json", "--model", model, text], {
    env: env(),
  });
  expect(JSON.parse(json.stdout)).toMatchObject({
    total: 11,
    estimator: "anthropic",
    encoding: model,
    confidence: "high",
    is_estimated: false,
  });
  expect(JSON.parse(list.stdout).definitions.total_tokens).toBeGreaterThan(imitatedPerList);
});

test("no command connects without the flag, whatever the environment holds (slow)", async () => {
  const text = join(home.path, "a.txt");
  await Bun.write(text, "hello");
  const commands = [
    ["profile", "--model", model, "--", ...server()],
    ["lock", "--model", model, "--", ...server()],
    ["check", "--model", model, "--", ...server()],
    ["count", "--model", model, text],
    ["--model", model, "--", ...server()],
    ["report"],
    ["doctor"],
  ];
  // The option must come from the command line.
  const variables = { ...env(), MCP_METER_EXACT: "true" };
  for (const args of commands) await runMeter(home, args, { input: session, env: variables });
  expect(maker.asked).toEqual([]);
});

test("the key is in no output and in no file", async () => {
  await profileExactly();
  using refusing = new ImitatedMaker(() =>
    Response.json({ error: { message: `the key ${key} is wrong` } }, { status: 400 }),
  );
  const text = join(home.path, "a.txt");
  await Bun.write(text, "hello");
  const refused = await runMeter(home, ["count", "--exact", "--model", "gemini-3-pro", text], {
    env: { ...env(), GOOGLE_GEMINI_BASE_URL: refusing.url },
  });
  expect(refused.stderr).toBe(
    'mcp-meter: Cannot get exact counts: Google answers "the key *** is wrong" (status 400)\n',
  );
  expect(refused.status).toBe(2);
  const written = filesBelow(home.path).map((file) => readFileSync(file, "utf8"));
  expect(written.length).toBeGreaterThan(0);
  for (const one of written) expect(one).not.toContain(key);
});
