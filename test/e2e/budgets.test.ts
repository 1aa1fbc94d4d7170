import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { resolveEstimator } from "#tokens/estimators/index.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { readMember, readString } from "#wire/json.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { maxTokensForTexts } from "../support/max-tokens.ts";
import { Folder } from "../support/folder.ts";
import { clientNamed, type Connection, type Outcome } from "../support/clients.ts";
import {
  everything,
  filesystem,
  legacy,
  metered,
  modern,
  type ServerCommand,
} from "../support/servers.ts";
import { slowIf } from "../support/slow-cases.ts";
import { legacyInput } from "./lines.ts";
import { type Home, makeHome, runMeter, waitMaxMs } from "./run.ts";

setDefaultTimeout(waitMaxMs);

let home: Home;
let garden: string;
const long = Array.from({ length: 900 }, (_, at) => `line ${at}: roses need water, é and 🌹`).join(
  "\n",
);

beforeAll(() => {
  home = makeHome();
  garden = join(home.path, "garden");
  mkdirSync(garden);
  writeFileSync(join(garden, "long.txt"), long);
  writeFileSync(join(garden, "short.txt"), "roses");
});

afterAll(() => home.remove());

async function seenBy<T>(
  client: string,
  server: ServerCommand,
  options: readonly string[],
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  const wrapped = metered(server, ["--tokenizer", "o200k", ...options]);
  const connection = await clientNamed(client).connect({
    ...wrapped,
    env: { ...wrapped.env, ...home.env },
  });
  try {
    await connection.listTools();
    return await act(connection);
  } finally {
    await connection.close();
  }
}

function read(client: string, file: string, ...options: readonly string[]): Promise<Outcome> {
  return seenBy(client, filesystem(garden), options, (connection) =>
    connection.callTool("read_text_file", { path: join(garden, file) }),
  );
}

function resultOf(outcome: Outcome): unknown {
  if (outcome.kind === "result") return outcome.result;
  throw new Error(`the client threw ${outcome.message}`);
}

function savedIn(note: string): string {
  return /the whole answer is in (\/\S+) /.exec(note)?.[1] ?? "";
}

function textsOf(outcome: Outcome): string[] {
  const content = readMember(resultOf(outcome), "content");
  return Array.isArray(content) ? content.map((block) => readString(block, "text") ?? "") : [];
}

const { estimator } = resolveEstimator(
  { tokenizer: "o200k", client: undefined },
  { loadTokenizer },
);
const tokensOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + estimator.count(text), 0);

for (const client of ["sdk-v1", "sdk-v2-legacy"]) {
  const part = slowIf(client !== "sdk-v1");
  describe(`in front of server-filesystem, ${client}`, () => {
    test(`read_text_file=500 gives a result that says it is an error and what to do${part}`, async () => {
      const outcome = await read(client, "long.txt", "--budget", "read_text_file=500");
      expect(resultOf(outcome)).toMatchObject({ isError: true });
      const [text = ""] = textsOf(outcome);
      expect(text).toStartWith("mcp-meter: read_text_file ran, but its answer was withheld");
      expect(text).toContain("the budget allows 500 tokens per call");
      expect(text.length).toBeLessThan(300);
    });

    test(`--error-form rpc throws with code -31900${part}`, async () => {
      const options = ["--budget", "read_text_file=500", "--error-form", "rpc"];
      const outcome = await read(client, "long.txt", ...options);
      expect(outcome).toMatchObject({ kind: "error", code: -31_900 });
    });

    test("truncate gives text that fits and says what is missing (slow)", async () => {
      const outcome = await read(client, "long.txt", "--budget", "read_text_file=500:truncate");
      const [head = "", note = "", ...more] = textsOf(outcome);
      expect(more).toEqual([]);
      expect(long).toStartWith(head);
      expect(head.length).toBeGreaterThan(500);
      // This client is unknown, so it may show both halves.
      const all = formatCount(long.length + JSON.stringify({ content: long }).length);
      expect(note).toContain(`cut after ${formatCount(head.length)} of ${all} characters`);
      expect(readMember(resultOf(outcome), "structuredContent")).toBeUndefined();
      const input = ["read_text_file", JSON.stringify({ path: join(garden, "long.txt") })];
      // It may also show its model the blocks as JSON.
      const most = tokensOf(input) + maxTokensForTexts([head, note], (text) => tokensOf([text]));
      expect(most).toBeWithin(481, 501);
      expect(tokensOf([...input, head, note])).toBeLessThanOrEqual(most);
    });
  });

  test(`in front of server-everything, ${client}: what is no text or promised as data is still a result (slow)`, async () => {
    const options = ["--budget", "20:truncate"];
    const [weather, image, missing] = await seenBy(client, everything(), options, (connection) =>
      Promise.all([
        connection.callTool("get-structured-content", { location: "Chicago" }),
        connection.callTool("get-tiny-image", {}),
        connection.callTool("no-such-tool", {}),
      ]),
    );
    expect(readMember(resultOf(weather), "isError")).toBe(true);
    expect(readMember(resultOf(image), "isError")).toBe(true);
    expect(["result", "error"]).toContain(missing.kind);
  });
}

describe("in front of server-filesystem", () => {
  // Clients do not differ in these.
  const client = "sdk-v1";

  test("read_text_file=500 does not touch an answer that fits", async () => {
    const outcome = await read(client, "short.txt", "--budget", "read_text_file=500");
    expect(resultOf(outcome)).toEqual({
      content: [{ type: "text", text: "roses" }],
      structuredContent: { content: "roses" },
    });
  });

  test("spill leaves the whole answer in a file of mode 0600", async () => {
    const outcome = await read(client, "long.txt", "--budget", "read_text_file=500:spill");
    const [head = "", note = ""] = textsOf(outcome);
    expect(long).toStartWith(head);
    const path = savedIn(note);
    expect(path).toStartWith(join(home.path, "state", "mcp-meter", "spills"));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const structure = JSON.stringify({ content: long }, null, 2);
    expect(readFileSync(path, "utf8")).toBe(`${long}\n${structure}`);
  });

  test("--spill-dir names the folder", async () => {
    using folder = new Folder();
    const dir = folder.at("answers");
    const spilling = ["--budget", "read_text_file=500:spill", "--spill-dir", dir];
    const outcome = await read(client, "long.txt", ...spilling);
    expect(dirname(savedIn(textsOf(outcome).at(-1) ?? ""))).toBe(dir);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });
});

describe("a server of the 2026 era", () => {
  test("gives refusals that are complete", async () => {
    const outcome = await seenBy("sdk-v2-modern", modern(), ["--budget", "echo=9"], (connection) =>
      connection.callTool("echo", {
        message: "far more than nine tokens of a message to be echoed",
      }),
    );
    expect(textsOf(outcome)).toMatchObject([expect.stringContaining("echo was not run")]);
    expect(readMember(resultOf(outcome), "isError")).toBe(true);
  });

  test("gives a result without the data that it promised, and the client takes it", async () => {
    const options = ["--budget", "weather=20:truncate"];
    const outcome = await seenBy("sdk-v2-modern", modern(), options, (connection) =>
      connection.callTool("weather", { city: "Lisbon" }),
    );
    expect(readMember(resultOf(outcome), "structuredContent")).toBeUndefined();
    expect(readMember(resultOf(outcome), "isError")).toBe(true);
  });
});

test("a folder that cannot be written to is refused in one sentence, before the server starts", async () => {
  const options = ["--budget", "*=40:spill", "--spill-dir", join(garden, "short.txt")];
  const run = await runMeter(home, [...options, "--", "touch", join(garden, "started")]);
  expect([run.status, run.stdout]).toEqual([125, ""]);
  expect(run.stderr).toBe(
    `mcp-meter: Cannot save answers in "${join(garden, "short.txt")}": a file with that name already exists; choose another folder with --spill-dir\n`,
  );
  expect(existsSync(join(garden, "started"))).toBe(false);
});

describe("a pipeline", () => {
  const input = legacyInput([["echo", { message: "hello ".repeat(40) }]]);
  const endings: readonly (readonly [options: readonly string[], code: number])[] = [
    [["--budget", "*=40"], 1],
    [["--budget", "*=4000"], 0],
    [["--budget", "*=40", "--exit-code", "child"], 0],
    [["--budget", "*=40:warn"], 0],
    [["--budget", "nobody=40"], 0],
    [["--max-repeats", "1"], 0],
  ];
  for (const [options, code] of endings) {
    test(`with ${options.join(" ")} ends with ${code}`, async () => {
      const run = await runMeter(home, [...options, "--", ...legacy().argv], { input });
      expect(run.status).toBe(code);
      expect(run.stdout).toContain(code === 1 || options.length > 2 ? "was not run" : "hello");
    });
  }

  test("ends as its server did when that failed, budgets or not", async () => {
    const script = "read first; read second; exit 7";
    const lines = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a", arguments: { q: "tokens" } } })}\n`;
    const run = await runMeter(home, ["--budget", "1", "--", "sh", "-c", script], {
      input: `${lines}{}\n{}\n`,
    });
    expect([run.status, run.stdout.includes("was not run")]).toEqual([7, true]);
  });
});
