import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitForEndOfProcessesWith, replay, scratch, uniqueSeconds } from "../support/replay.ts";
import { everything } from "../support/servers.ts";
import { legacyInput } from "./lines.ts";
import { eachHome } from "./each-home.ts";
import { ownSchema } from "../support/report-schemas.ts";
import { onlyLog, runMeter, startMeter } from "./run.ts";

const home = eachHome();

const folder = scratch();
const validate = ownSchema("check");

type Report = {
  readonly failed: boolean;
  readonly calls: readonly {
    readonly call: string;
    readonly tokens: number;
    readonly limit: number | null;
    readonly recorded_tokens: number | null;
    readonly cost_usd?: number;
    readonly problems: readonly string[];
  }[];
  readonly problems: readonly { readonly rule: string; readonly text: string }[];
};

const lockFile = (): string => join(home.path, "mcp-meter.lock");
const check = (args: readonly string[], env: Record<string, string> = {}) =>
  runMeter(home, ["check", ...args], { env });

async function report(
  args: readonly string[],
): Promise<{ status: number | undefined; report: Report }> {
  const lock = args.includes("--update") || existsSync(lockFile()) ? [] : ["--no-lock"];
  const { stdout, status } = await check(["--format", "json", ...lock, ...args]);
  const printed: Report = JSON.parse(stdout);
  validate(printed);
  expect(validate.errors).toBeNull();
  return { status, report: printed };
}

/** One run that prints a table and writes every other format into a file. */
async function checkInEachFormat(args: readonly string[], env: Record<string, string> = {}) {
  const files = otherFormats.map(
    (format) => [format, folder.write(`report.${format}`, "")] as const,
  );
  const targets = files.flatMap(([format, path]) => ["--format", `${format}=${path}`]);
  const { status, stderr, stdout } = await check([...targets, ...args], env);
  const written = files.map(([format, path]) => ({ format, text: readFileSync(path, "utf8") }));
  return { status, stderr, reports: [{ format: "table", text: stdout }, ...written] };
}

const textsOf = (reports: readonly { readonly text: string }[]): readonly string[] =>
  reports.map(({ text }) => text);

const tools = [
  { name: "search", description: "Search", inputSchema: { type: "object" } },
  { name: "fails", inputSchema: { type: "object" } },
];
const file = folder.write("checked.json", { server: "one", version: "1", tools });
/** 40 words are 40 tokens and a little more. */
const server = (...flags: readonly string[]): string[] => replay(file, "--answer=40", ...flags);
const otherFormats = ["markdown", "json", "junit", "sarif", "github"];
const calls = (...list: readonly object[]): string[] => [
  "--calls",
  folder.write("calls.json", list),
];

const yaml = (text: string): string[] => ["--calls", folder.write("written.yaml", text)];
const echo = (): string[] => ["--", ...server("--echoes")];
const firstKey = (lock: string): unknown => JSON.parse(lock).answers[0].key;

describe("check plays calls", () => {
  test("and passes when each keeps within its budget", async () => {
    const plan = calls({ tool: "search", arguments: { q: "x" }, budget: "1k", repeat: 2 });
    const args = ["check", "--json", "--no-lock", ...plan, "--", ...server()];
    const { status, stdout } = await startMeter(home, args);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      failed: false,
      calls: [{ limit: 1_000 }, { limit: 1_000 }],
    });
  });

  test.each([
    ["legacy", []],
    ["modern", ["--modern"]],
  ] as const)(
    "and fails when one answers more than its budget, naming call, tokens and limit: %s",
    async (_, flags) => {
      const plan = calls({ tool: "search", name: "the search", budget: 20 });
      const { status, report: printed } = await report([...plan, "--", ...server(...flags)]);
      expect(status).toBe(1);
      const [call] = printed.calls;
      expect(call).toMatchObject({ call: "the search", limit: 20, problems: ["over_budget"] });
      expect(call?.tokens).toBeGreaterThan(40);
      expect(printed.problems[0]?.text).toBe(`it takes ${call?.tokens} tokens; its budget is 20`);
    },
  );

  test("and holds budgets of the command line against all of them", async () => {
    const plan = calls({ tool: "search", repeat: 3 });
    const judged = async (budget: string) =>
      (await report([...plan, "--budget", budget, "--", ...server()])).status;
    expect(await judged("sea*=1k/session")).toBe(0);
    expect(await judged("sea*=100/session")).toBe(1);
    expect(await judged("20:warn")).toBe(0);
  });

  test("and holds budgets in money, with the price of a paid tool", async () => {
    const prices = folder.write("prices.json", {
      coder: { in: 10, out: 20 },
      tools: { "sea*": 0.005 },
    });
    const plan = calls({ tool: "search" }, { tool: "fails", isError: true });
    const judge = (budget: string, ...options: readonly string[]) =>
      check(["--json", "--no-lock", ...plan, "--budget", budget, ...options, "--", ...server()]);
    const { status, stdout } = await judge("$0.006", "--model", "coder", "--prices", prices);
    const printed: Report = JSON.parse(stdout);
    validate(printed);
    expect(validate.errors).toBeNull();
    const [search, fails] = printed.calls.map(({ cost_usd }) => Number(cost_usd));
    expect(printed).toMatchObject({
      budgets: [{ limit: 0.006, unit: "dollars", spent: search, is_breached: false }],
    });
    expect(status).toBe(0);
    expect(Number(search) - Number(fails)).toBeCloseTo(0.005, 5);
    expect(fails).toBeGreaterThan(40 * 10e-6);
    expect(await judge("$0.005", "--model", "coder", "--prices", prices)).toMatchObject({
      status: 1,
    });
    expect(await judge("search=$0.006", "--prices", prices)).toMatchObject({ status: 0 });
    const unpriced = await judge("$0.006", "--prices", prices);
    expect(unpriced).toMatchObject({ status: 2 });
    expect(unpriced.stderr).toContain(
      "Cannot use the budget $0.006: the price of the model is not known; name the model",
    );
  });

  test("and records what run records", async () => {
    const asked = ["echo", { message: "the same tokens" }] as const;
    const plan = calls({ tool: asked[0], arguments: asked[1] });
    const { report: printed } = await report([...plan, "--", ...everything().argv]);
    await startMeter(home, ["--", ...everything().argv], { input: legacyInput([asked]) });
    const recorded = (await onlyLog(home)).find(({ type }) => type === "call");
    expect(printed.calls[0]?.tokens).toBe(Number(recorded?.["total_tokens"]));
  });
});

describe("check holds against the lock", () => {
  test("--update records answers; growth beyond --max-call-increase fails", async () => {
    const plan = calls({ tool: "search" });
    const first = await report([...plan, "--update", "--", ...server()]);
    expect(first.status).toBe(0);
    expect(JSON.parse(readFileSync(lockFile(), "utf8"))).toMatchObject({
      answers: [{ tool: "search" }],
    });
    const same = await report([...plan, "--", ...server()]);
    expect(same.status).toBe(0);
    expect(same.report.calls[0]?.recorded_tokens).toBe(Number(same.report.calls[0]?.tokens));
    const longer = replay(file, "--answer=60");
    expect((await report([...plan, "--", ...longer])).report.problems[0]?.rule).toBe("grew");
    expect((await report([...plan, "--max-call-increase", "60%", "--", ...longer])).status).toBe(0);
  });

  test("a failed check updates nothing, and lock keeps what was recorded", async () => {
    await check([...calls({ tool: "search" }), "--update", "--", ...server()]);
    const before = readFileSync(lockFile(), "utf8");
    const failing = calls({ tool: "search", budget: 1 });
    expect((await check([...failing, "--update", "--", ...server()])).status).toBe(1);
    await runMeter(home, ["lock", "--", ...server()]);
    expect(readFileSync(lockFile(), "utf8")).toBe(before);
  });

  test("drift, limits on definitions, an empty list and a torn lock", async () => {
    await runMeter(home, ["lock", "--", ...server()]);
    const other = folder.write("other.json", {
      server: "one",
      version: "1",
      tools: tools.slice(0, 1),
    });
    expect((await check(["--", ...replay(other)])).status).toBe(1);
    expect((await check(["--max-total", "3", "--", ...server()])).status).toBe(1);
    const empty = folder.write("empty.json", { server: "one", version: "1", tools: [] });
    expect((await check(["--", ...replay(empty)])).status).toBe(3);
    writeFileSync(lockFile(), "{");
    expect((await check(["--", ...server()])).status).toBe(2);
    expect(readFileSync(lockFile(), "utf8")).toBe("{");
  });
});

const updated = async (...list: readonly object[]) => {
  const args = [...calls(...list), "--update", "--", ...server()];
  const { status, stderr } = await check(args);
  expect(status).toBe(0);
  return stderr;
};

const recorded = (answers: string) =>
  `mcp-meter: Recorded ${answers} in the lock "mcp-meter.lock"\n`;

describe("check of recorded answers", () => {
  test("warns in every format when the arguments of a call have changed", async () => {
    await updated({ tool: "search", arguments: { q: "a" } });
    const plan = calls({ tool: "search", arguments: { q: "b" } });
    const { status, reports } = await checkInEachFormat([...plan, "--", ...server()]);
    expect(status).toBe(0);
    for (const { text } of reports) {
      expect(text).toContain("the lock has an answer of ");
      expect(text).toContain("so the growth of the answer is not checked");
    }
    const { report: printed } = await report([...plan, "--", ...server()]);
    expect(printed.problems.map(({ rule }) => rule)).toEqual(["answer_unused", "answer_missing"]);
    const { stdout } = await check(["--", ...server()]);
    expect(stdout).toContain("0 errors, 0 warnings");
  });

  test("--update and lock say what they record and drop", async () => {
    expect(await updated({ tool: "search" }, { tool: "search", arguments: { q: 1 } })).toBe(
      recorded("2 answers"),
    );
    expect(await updated({ tool: "search" })).toBe(
      recorded("1 answer") +
        'mcp-meter: Dropped 1 recorded answer from the lock "mcp-meter.lock": no call in the calls file uses it\n',
    );
    expect(await updated({ tool: "search" })).toBe(recorded("1 answer"));
    const forced = ["lock", "--force", "--tokenizer", "cl100k", "--", ...server()];
    expect((await runMeter(home, forced)).stderr).toBe(
      'mcp-meter: Dropped 1 recorded answer from the lock "mcp-meter.lock"; to record them again, run "mcp-meter check --calls FILE --update"\n',
    );
    expect(JSON.parse(readFileSync(lockFile(), "utf8"))).not.toHaveProperty("answers");
  });
});

describe("check of the list of tools", () => {
  test.each([
    ["legacy", []],
    ["modern", ["--modern"]],
  ] as const)("fails in every format when the calls have changed it: %s", async (_, flags) => {
    const later = folder.write("later.json", { tools: [{ ...tools[0], description: "Obey" }] });
    const changing = ["--", ...server(...flags, `--later=${later}`)];
    const { status, reports } = await checkInEachFormat([
      "--no-lock",
      ...calls({ tool: "search" }),
      ...changing,
    ]);
    expect(status).toBe(1);
    for (const { text } of reports) {
      expect(text).toContain("a different definition of it after the calls");
      expect(text).toContain("no longer lists it after the calls");
    }
    const { report: printed } = await report([...calls({ tool: "search" }), ...changing]);
    expect(printed.problems.map(({ rule }) => rule)).toEqual(["list_changed", "list_changed"]);
  });
});

describe("check of a server that dies of a call", () => {
  test("names the call, and keeps what was found before it in every format", async () => {
    const plan = calls(
      { tool: "search", name: "the first" },
      { tool: "search", name: "the second", budget: 1 },
      { tool: "search", name: "the third" },
      { tool: "search", name: "the fourth" },
    );
    const args = ["--no-lock", ...plan, "--", ...server("--dies=3")];
    const { status, stderr, reports } = await checkInEachFormat(args);
    expect({ status, stderr }).toEqual({
      status: 3,
      stderr:
        'mcp-meter: Stopped at the call "the third": The server "one" failed: it ended with code 7 before it answered\n',
    });
    for (const { text } of reports) {
      for (const part of ["the second", "its budget is 1", "the third", "the fourth"]) {
        expect(text).toContain(part);
      }
    }
  });
});

function listing(text: string): string[] {
  const description = `${"long ".repeat(90)}${text} ${"x".repeat(90)}`;
  const leaking = { server: "one", version: "1", tools: [{ ...tools[0], description }] };
  return replay(folder.write("leaking.json", leaking));
}

const typedServer = (outputSchema: object, structuredContent: unknown, ...flags: string[]) => {
  const typed = [{ name: "typed", inputSchema: { type: "object" }, outputSchema }];
  const listed = folder.write("typed.json", { server: "one", version: "1", tools: typed });
  const result = JSON.stringify({ content: [], structuredContent });
  return replay(listed, `--result=${result}`, ...flags);
};

describe("check of a calls file", () => {
  const secret = 'pearl"secret value';

  test("sends values of variables, and shows them nowhere", async () => {
    const planned = [
      "- { tool: fails, arguments: { key: '${KEY}' } }",
      "- { tool: search, arguments: { key: '${KEY}' }, expect: { equals: { /key: other } } }",
      "- { tool: search, arguments: { key: 'x${KEY}$${KEY}' }, expect: { contains: absent } }",
    ].join("\n");
    const args = ["--no-lock", ...yaml(planned), ...echo()];
    const { status, stderr, reports } = await checkInEachFormat(args, { KEY: secret });
    expect(status).toBe(1);
    const all = [stderr, ...textsOf(reports)].join("\n");
    expect(all).toContain("${KEY}");
    for (const part of ["pearl", "secret value"]) expect(all).not.toContain(part);
  });

  test("removes a value from everything that a server writes, in JSON and URLs too (slow)", async () => {
    const value = 'sk-ü/pearl "secret" value 7';
    const env = { KEY: value };
    const play = yaml("- { tool: fails, arguments: { key: '${KEY}' } }\n");
    const leaks = replay(file, "--leaks");
    const written = ["table", "markdown", "json", "junit", "sarif", "github"].map((format) => ({
      args: ["--no-lock", "--format", format, ...play, "--", ...leaks],
      status: 1,
    }));
    const refuses = [...play, "--", ...leaks, "--refuses=initialize"];
    const dead = { args: ["--no-lock", "--format", "junit", ...refuses], status: 3 };
    for (const { args, status } of [...written, dead]) {
      // The server reads the variable as well.
      const ended = await startMeter(home, ["check", ...args], { env });
      const all = ended.stdout + ended.stderr;
      expect([args[2], ended.status]).toEqual([args[2], status]);
      expect(all).toContain("${KEY}");
      for (const part of ["pearl", "secret", "sk-", "alue"]) {
        expect(all).not.toContain(part);
      }
    }
  });

  test("shows no value of a definition, and writes none into a lock (slow)", async () => {
    const env = { KEY: secret };
    const plan = yaml("- { tool: search, arguments: { key: '${KEY}' } }\n");
    const refused = await check([...plan, "--update", "--", ...listing(secret)], env);
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("contain the value of a variable");
    expect(existsSync(lockFile())).toBe(false);
    await runMeter(home, ["lock", "--", ...listing(`old ${secret}`)]);
    const args = [...plan, "--", ...listing(`new ${secret} new`)];
    const { status, stderr, reports } = await checkInEachFormat(args, env);
    expect(status).toBe(1);
    for (const text of [stderr, ...textsOf(reports)]) {
      for (const part of ["pearl", "secret", "value"]) expect(text).not.toContain(part);
    }
  });

  test("records no value of a variable, and the same answer with another value", async () => {
    const plan = yaml("- { tool: search, arguments: { key: '${KEY}' } }\n");
    const args = [...plan, ...echo()];
    expect((await check(["--update", ...args], { KEY: secret })).status).toBe(0);
    const locked = readFileSync(lockFile(), "utf8");
    expect(locked).not.toContain("secret");
    expect((await check(["--update", ...args], { KEY: 'PEARL"SECRET VALUE' })).status).toBe(0);
    expect(firstKey(readFileSync(lockFile(), "utf8"))).toBe(firstKey(locked));
  });

  test("holds answers against their expectations", async () => {
    const plan = calls(
      { tool: "search", arguments: { n: [1] }, expect: { contains: '"n"', equals: { "/n/0": 1 } } },
      { tool: "search", arguments: { a: "b" }, expect: { matches: "^\\d+$", equals: { "/c": 1 } } },
      { tool: "fails", isError: true, arguments: { a: 1 }, expect: { contains: "b" } },
    );
    const { status, report: printed } = await report([...plan, ...echo()]);
    expect(status).toBe(1);
    expect(printed.problems.map(({ rule, text }) => [rule, text])).toEqual([
      [
        "unexpected_answer",
        'the answer does not match "^\\d+$"; it is "{"a":"b"}"; /c is missing; expected 1',
      ],
      ["unexpected_answer", 'the answer does not contain "b"; it is "{"a":1}"'],
    ]);
  });

  test.each([
    ["structure", '{"content":[],"structuredContent":{"id":9007199254740993}}'],
    ["text", '{"content":[{"type":"text","text":"{\\"id\\":9007199254740993}"}]}'],
  ])("equals compares numbers as they are written: %s", async (_, result) => {
    const plan = calls({ tool: "search", expect: { equals: { "/id": 9007199254740992 } } });
    const args = [...plan, "--", ...server(`--raw-result=${result}`)];
    const { status, report: printed } = await report(args);
    expect(status).toBe(1);
    expect(printed.problems).toMatchObject([
      { text: "/id is 9007199254740993; expected 9007199254740992" },
    ]);
  });

  test("a server that begins with a byte order mark is out of reach for clients", async () => {
    const args = [...calls({ tool: "search" }), "--no-lock", "--", ...server("--first-bom")];
    const { status, stderr } = await check(args);
    expect([status, stderr]).toEqual([
      3,
      'mcp-meter: The server "one" failed: its answer to the first request begins with a byte order mark, so clients ignore it\n',
    ]);
  });

  test.each([
    [[{ rank: 1 }], []],
    [
      [{ rank: 1 }, { rank: "2" }],
      ["structuredContent does not match its outputSchema: /results/1/rank must be integer"],
    ],
    [undefined, ["it has no structuredContent, although the tool has an outputSchema"]],
  ])("structured content is compared with its schema: %j", async (results, faults) => {
    const item = { type: "object", properties: { rank: { type: "integer" } } };
    const outputSchema = {
      type: "object",
      properties: { results: { type: "array", items: { $ref: "#/$defs/item" } } },
      $defs: { item },
    };
    const structure = results && { results };
    for (const flags of [[], ["--modern"]]) {
      const command = typedServer(outputSchema, structure, ...flags);
      const { status, report: printed } = await report([
        ...calls({ tool: "typed" }),
        "--",
        ...command,
      ]);
      expect(status).toBe(faults.length);
      expect(printed.problems.map(({ text }) => text)).toEqual(
        faults.map((fault) => `clients reject its answer: ${fault}`),
      );
    }
  });

  test("an output schema that clients cannot compile fails without any call, and is not fetched (slow)", async () => {
    const fetched: string[] = [];
    using web = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: ({ url }) => (fetched.push(url), Response.json({})),
    });
    const $ref = new URL("/s.json", web.url).href;
    const args = ["--max-total", "10k", "--", ...typedServer({ type: "object", $ref }, {})];
    const { status, report: printed } = await report(args);
    expect(status).toBe(1);
    expect(printed.problems).toMatchObject([
      {
        rule: "output_schema_rejected",
        about: "typed",
        place: "schemas",
        text: `clients reject its outputSchema: can't resolve reference ${$ref} from id #; clients built on SDK 1.x then reject the whole list, and clients built on SDK 2.x never call the tool`,
      },
    ]);
    expect(fetched).toEqual([]);
    const inFiles = await checkInEachFormat(["--no-lock", ...args]);
    expect(inFiles.status).toBe(1);
    for (const { text } of inFiles.reports) expect(text).toContain("SDK 2.x never call the tool");
  });

  test("a call that is not answered in its time fails, also where an error is expected (slow)", async () => {
    const plan = calls({ tool: "search", timeout: 0.2, isError: true }, { tool: "search" });
    const args = ["--timeout", "2", ...plan, "--", ...server("--hangs")];
    const { status, report: printed } = await report(args);
    expect(status).toBe(1);
    expect(printed.problems.map(({ text }) => text)).toEqual([
      "it failed: no answer within 0.2 s",
      "it failed: no answer within 2 s",
    ]);
  });

  test("skips calls with a reason in every format, and never all of them (slow)", async () => {
    const plan = calls({ tool: "search" }, { tool: "fails", skip: "the service is down" });
    const shown: Record<string, string> = {
      table: "SKIP",
      markdown: "**skipped**",
      json: '"skipped": "the service is down"',
      junit: '<skipped message="the service is down"/>',
      sarif: '"fails #2 is skipped: the service is down"',
      github: "SKIP",
    };
    const { status: code, reports } = await checkInEachFormat([
      "--no-lock",
      ...plan,
      "--",
      ...server(),
    ]);
    expect(code).toBe(0);
    for (const { format, text } of reports) expect(text).toContain(String(shown[format]));
    const { report: printed } = await report([...plan, "--", ...server()]);
    expect(printed).toMatchObject({ total: { calls: 1, skipped: 1 } });
    const none = calls({ tool: "search", skip: "all of them" });
    const { status, stderr } = await check(["--no-lock", ...none, "--", ...server()]);
    expect(status).toBe(2);
    expect(stderr).toContain("is skipped: there is nothing to check");
  });
});

describe("a server with a definition that is too long to be read", () => {
  test("fails a call whose answer is, in our own words", async () => {
    const { status, report: printed } = await report([
      ...calls({ tool: "search", isError: true }),
      "--",
      ...replay(file, "--answer=2000000"),
    ]);
    expect(status).toBe(1);
    expect(printed.problems[0]?.text).toMatch(
      /^it failed: its answer to tools\/call has [\d,]+ bytes, more than the 8 MiB that mcp-meter reads$/,
    );
  });
});

describe("a server that writes a banner to stdout", () => {
  const note =
    'mcp-meter: The server wrote 2 lines to stdout that are not JSON-RPC (the first is "Server started"); clients may reject them; logs belong on stderr\n';
  test.each([
    ["profile", []],
    ["lock", []],
    ["check", ["--no-lock", "--max-total", "9k"]],
  ] as const)("is noted by %s", async (command, flags) => {
    const args = [command, ...flags, "--", ...server("--banner")];
    const { status, stderr } = await runMeter(home, args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: note });
  });
});

describe("check ends with", () => {
  const broken = folder.write("broken.json", [{}]);
  const withoutTools = replay(folder.write("empty-list.json", { server: "one", tools: [] }));
  const seconds = uniqueSeconds();
  const endings: [string, string[], number, string][] = [
    ["2 without a server", [], 2, "missing server; put its command after --"],
    [
      "2 for a calls file that is none",
      ["--no-lock", "--calls", broken, "--", "true"],
      2,
      "broken.json:1:2: calls[0].tool is required and must be text",
    ],
    ["2 with nothing to check", ["--no-lock", "--", ...server()], 2, "Nothing to check"],
    ["2 without a lock", ["--", "true"], 2, "or pass --no-lock to check limits and calls only"],
    [
      "3 for a server without tools",
      ["--no-lock", "--max-total", "9k", "--", ...withoutTools],
      3,
      "The server lists no tools",
    ],
    [
      "3 for a server that hangs",
      ["--no-lock", "--max-total", "9k", "--timeout", "0.3", "--", "sleep", seconds],
      3,
      "did not answer",
    ],
  ];
  test.each(endings)("%s", async (_, args, status, reason) => {
    const ended = await check(args);
    expect(ended).toMatchObject({ status, stdout: "" });
    expect(ended.stderr).toContain(reason);
    expect(ended.stderr.trimEnd().split("\n")).toHaveLength(1);
    expect(await waitForEndOfProcessesWith(seconds)).toEqual([]);
  });
});
