import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Ajv2020 from "ajv/dist/2020";
import {
  collectedDefinitions,
  readDefinitions,
  replay,
  scratch,
  variousDefinitions,
  type Definitions,
} from "../support/replay.ts";
import { eachFirst } from "../support/slow-cases.ts";
import { eachHome } from "./each-home.ts";
import { runMeter, startMeter, waitMaxMs } from "./run.ts";

const home = eachHome();

const folder = scratch();
const source = join(import.meta.dir, "..", "..", "src");
const ajv = new Ajv2020({ allErrors: true });
const [fitsLock, fitsReport] = ["lock", "screens/renderers"].map((room) => {
  const schema: object = JSON.parse(readFileSync(join(source, room, "lock.schema.json"), "utf8"));
  return ajv.compile(schema);
});

const lock = (...rest: readonly string[]) => runMeter(home, ["lock", ...rest]);
const lockFile = (): string => join(home.path, "mcp-meter.lock");

const tools = [
  {
    name: "search",
    description: "Search for things by words, and get a list of them with their titles.",
    inputSchema: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
    outputSchema: {
      type: "object",
      properties: { items: { type: "array", maxItems: 20, items: { type: "string" } } },
    },
  },
];
const write = (name: string, changed: readonly object[]): string =>
  folder.write(name, { server: "one", version: "1", tools: changed });
const original = write("original.json", tools);
const [search] = tools;

test("lock writes mcp-meter.lock, and --check of the same server passes", async () => {
  const written = await startMeter(home, ["lock", "--", ...replay(original)]);
  expect(written).toMatchObject({ status: 0, stderr: "" });
  expect(written.stdout).toContain("written to mcp-meter.lock");
  expect(existsSync(lockFile())).toBe(true);
  const checked = await startMeter(home, ["lock", "--check", "--", ...replay(original)]);
  expect(checked.status).toBe(0);
  expect(checked.stdout).toContain("passed: nothing differs from the lock");
});

describe("lock --check", () => {
  const renamed = { ...search?.inputSchema, properties: { query: { type: "string" } } };
  const open = {
    type: "object",
    properties: { items: { type: "array", items: { type: "string" } } },
  };
  test.each([
    ["a renamed parameter", [{ ...search, inputSchema: renamed }], [], 1, "BREAKING"],
    [
      "RISKY with --fail-on breaking",
      [{ ...search, outputSchema: open }],
      ["--fail-on", "breaking"],
      0,
      "RISKY",
    ],
    ["a new tool", [...tools, { name: "new", inputSchema: { type: "object" } }], [], 1, "RISKY"],
    [
      "a second tool of one name",
      [...tools, { name: "search", inputSchema: {} }],
      [],
      1,
      "BREAKING",
    ],
    ["metadata", [{ ...search, _meta: { build: 7 } }], [], 0, "COSMETIC"],
    ["a removed tool", [{ name: "other", inputSchema: {} }], [], 1, "BREAKING"],
  ] as const)("%s", async (_, changed, options, status, severity) => {
    await lock("--", ...replay(original));
    const before = readFileSync(lockFile(), "utf8");
    const file = write("changed.json", changed);
    const checked = await lock("--check", "--format", "json", ...options, "--", ...replay(file));
    const report: { severity: string; failed: boolean } = JSON.parse(checked.stdout);
    expect({ status: checked.status, severity: report.severity }).toEqual({ status, severity });
    expect(report.failed).toBe(status === 1);
    expect(fitsReport?.(report)).toBe(true);
    expect(readFileSync(lockFile(), "utf8")).toBe(before);
  });

  test("an empty list is no sign that all tools were removed: 3, and the lock stays", async () => {
    await lock("--", ...replay(original));
    const before = readFileSync(lockFile(), "utf8");
    const empty = replay(write("empty.json", []));
    for (const options of [["--check"], []]) {
      const { status, stderr } = await lock(...options, "--", ...empty);
      expect(status).toBe(3);
      expect(stderr).toContain("an empty list does not count as a removal");
    }
    expect(readFileSync(lockFile(), "utf8")).toBe(before);
  });

  test("counts as the lock was counted, and refuses to compare what cannot be (slow)", async () => {
    await lock("--tokenizer", "chars4", "--", ...replay(original));
    expect((await lock("--check", "--", ...replay(original))).status).toBe(0);
    const kept = await lock("--tokenizer", "o200k", "--", ...replay(original));
    expect(kept).toMatchObject({ status: 2, stdout: "" });
    expect(kept.stderr).toContain("--force");
    const other = await lock("--check", "--tokenizer", "o200k", "--", ...replay(original));
    expect(other.status).toBe(2);
    expect(other.stderr).toContain("--tokenizer chars4");
    const forced = await lock("--force", "--tokenizer", "o200k", "--", ...replay(original));
    expect(forced.stdout).toContain("counted by o200k");
  });
});

test.each(["", "{", '{"lock_version":"1.0"}', "\u0000"])(
  "a lock of %j is 2 and never overwritten",
  async (text) => {
    writeFileSync(lockFile(), text);
    for (const options of [[], ["--check"]]) {
      const { status, stderr } = await lock(...options, "--", ...replay(original));
      expect(status).toBe(2);
      expect(stderr).toContain("Cannot read the lock");
    }
    expect(readFileSync(lockFile(), "utf8")).toBe(text);
  },
);

function withChange(definitions: Definitions, change: (tool: Tool) => Tool): Definitions {
  const at = definitions.tools.findIndex((tool) => Object.keys(propertiesOf(tool)).length > 0);
  return {
    ...definitions,
    tools: definitions.tools.map((tool, index) => (index === at ? change(tool) : tool)),
  };
}

type Tool = Definitions["tools"][number];

function propertiesOf(tool: Tool): Readonly<Record<string, unknown>> {
  const { inputSchema } = tool as { inputSchema?: { properties?: Record<string, unknown> } };
  return inputSchema?.properties ?? {};
}

const rename = (tool: Tool): Tool => {
  const [[name, schema] = [], ...others] = Object.entries(propertiesOf(tool));
  const properties = Object.fromEntries([[`${name}_renamed`, schema], ...others]);
  return { ...tool, inputSchema: { ...(tool["inputSchema"] as object), properties } };
};

const grow = (tool: Tool): Tool => {
  const description = typeof tool["description"] === "string" ? tool["description"] : "A tool.";
  const more = "x".repeat(Math.ceil(description.length / 5));
  return { ...tool, description: `${description} ${more}` };
};

const list = (bound: object) => ({
  type: "object",
  properties: { items: { type: "array", items: { type: "string" }, ...bound } },
});

const withoutMeta = (tool: Tool): Tool => ({
  name: tool["name"],
  inputSchema: tool["inputSchema"],
});

async function severityOf(
  name: string,
  now: Definitions,
  lockedAt: string = lockFile(),
): Promise<string | null> {
  const changedFile = folder.write(`changed-${name}`, now);
  const args = ["--check", "--format", "json", "--lock", lockedAt];
  const { stdout } = await lock(...args, "--", ...replay(changedFile));
  const report: { severity: string | null } = JSON.parse(stdout);
  return report.severity;
}

describe("locks of collected definitions", () => {
  const collected = variousDefinitions().slice(0, 2);
  if (collected.length === 0) {
    test("are left out: the collection is not here", () =>
      console.warn("no collected definitions"));
  }
  eachFirst(1, collected)(
    "$name: the same bytes, and each change its severity",
    async ({ name, file }) => {
      const definitions = readDefinitions(file);
      await lock("--", ...replay(file));
      const bytes = readFileSync(lockFile(), "utf8");
      expect(fitsLock?.(JSON.parse(bytes))).toBe(true);
      await lock("--", ...replay(file, "--shuffle", "--pages"));
      expect(readFileSync(lockFile(), "utf8")).toBe(bytes);

      const bounded = withChange(definitions, (tool) => ({
        ...withoutMeta(tool),
        inputSchema: { type: "object", properties: { q: {} } },
        outputSchema: list({ maxItems: 20 }),
      }));
      const boundedLock = join(home.path, "bounded.lock");
      await lock("--lock", boundedLock, "--", ...replay(folder.write(`bounded-${name}`, bounded)));
      const unbounded = withChange(bounded, (tool) => ({ ...tool, outputSchema: list({}) }));
      expect(await severityOf(name, withChange(definitions, rename))).toBe("BREAKING");
      expect(await severityOf(name, withChange(definitions, grow))).toBe("RISKY");
      expect(await severityOf(name, unbounded, boundedLock)).toBe("RISKY");
      expect(await severityOf(name, definitions)).toBeNull();
    },
    2 * waitMaxMs,
  );

  const others = collectedDefinitions().filter(({ name }) =>
    collected.every((one) => one.name !== name),
  );
  test.each(others)("$name: the same bytes (slow)", async ({ file }) => {
    await lock("--", ...replay(file));
    const bytes = readFileSync(lockFile(), "utf8");
    expect(fitsLock?.(JSON.parse(bytes))).toBe(true);
    await lock("--", ...replay(file, "--shuffle", "--pages"));
    expect(readFileSync(lockFile(), "utf8")).toBe(bytes);
  });
});

const meter = (...args: readonly string[]) => runMeter(home, args);

describe("a limit or a lock that holds nothing is never green", () => {
  const calls = folder.write("one.json", [{ tool: "search" }]);

  test.each([
    ["lock", ["lock"]],
    ["check --update", ["check", "--update", "--calls", calls]],
  ])("%s --max-increase without a lock: 2, and none is written", async (_, command) => {
    const limited = [...command, "--max-increase", "5%"];
    const { status, stderr } = await meter(...limited, "--", ...replay(original));
    expect({ status, isWritten: existsSync(lockFile()) }).toEqual({ status: 2, isWritten: false });
    expect(stderr).toBe(
      'mcp-meter: Cannot check --max-increase: there is no lock "mcp-meter.lock" counted with this tokenizer; omit the option until the lock is written\n',
    );
  });

  test("--max-tool counts a description of megabytes whole", async () => {
    const [long] = tools;
    const description = "word ".repeat(400_000);
    const large = write("large.json", [{ ...long, description }]);
    const limited = ["check", "--no-lock", "--max-tool", "300k", "--", ...replay(large)];
    const { status, stdout } = await meter(...limited);
    expect(status).toBe(1);
    expect(stdout).toMatch(/over --max-tool +the definition of search: 400,0\d\d tokens/);
  });

  const edits: readonly (readonly [string, (text: string) => string])[] = [
    ["total", (text) => text.replace(/"total_tokens": \d+/, '"total_tokens": 90000')],
    ["risk", (text) => text.replace(/"risk": "\w+"/, '"risk": "critical"')],
  ];
  test.each(edits)(
    "a lock whose %s was edited fails, and is mended by lock (slow)",
    async (_, edit) => {
      const more = write("more.json", [...tools, { ...search, name: "further" }]);
      await lock("--", ...replay(original));
      const honest = readFileSync(lockFile(), "utf8");
      writeFileSync(lockFile(), edit(honest));
      for (const command of [["check"], ["lock", "--check"]]) {
        const { status, stdout } = await meter(...command, "--", ...replay(original));
        expect(status).toBe(1);
        expect(stdout).toMatch(
          /BREAKING +(?:\(server\)|search) +the lock was edited by hand, or written by another/,
        );
      }
      const limited = await lock("--max-increase", "5%", "--", ...replay(more));
      expect(limited).toMatchObject({ status: 1 });
      expect(limited.stdout).toContain("over --max-increase");
      expect(await lock("--", ...replay(original))).toMatchObject({ status: 0 });
      expect(readFileSync(lockFile(), "utf8")).toBe(honest);
    },
  );

  eachFirst(1, [
    ["a client and a model", ["--as-client", "codex", "--model", "gpt-5.5"]],
    ["another tokenizer", ["--tokenizer", "chars4"]],
    ["a model", ["--model", "claude-opus-5"]],
    ["a client", ["--as-client", "claude-code"]],
  ])("a lock that was written for %s is its own, with and without it", async (_, options) => {
    expect(await lock(...options, "--", ...replay(original))).toMatchObject({ status: 0 });
    for (const given of [[], options]) {
      const { stdout } = await meter("check", ...given, "--", ...replay(original));
      expect(stdout).not.toContain("the lock was edited");
    }
  });
});

test.each([
  ["a title", { title: 5 }, "tools[1].title: expected string, received number"],
  [
    "required",
    { inputSchema: { type: "object", required: null } },
    "expected array, received null",
  ],
])(
  "a list that clients reject is a warning of lock, and fails every check: %s (slow)",
  async (_, added, fault) => {
    const bare = { name: "bare", inputSchema: { type: "object" }, ...added };
    const rejected = write("rejected-list.json", [...tools.slice(0, 1), bare]);
    const written = await lock("--", ...replay(rejected));
    expect(written).toMatchObject({ status: 0 });
    expect(written.stderr).toContain("Clients reject the answer to tools/list: tools[1].");
    expect(written.stderr).toContain(`${fault}; "mcp-meter check" will fail`);
    for (const command of [["check"], ["check", "--no-lock", "--max-total", "9k"]]) {
      const checked = await runMeter(home, [...command, "--", ...replay(rejected)]);
      expect(checked).toMatchObject({ status: 1 });
      expect(checked.stdout).toContain(fault);
    }
  },
);

test("tools of a server that does not declare them are a warning of lock, and fail every check", async () => {
  const silent = folder.write("silent.mjs", "");
  writeFileSync(
    silent,
    `for await (const line of console) {
      if (line === "") break;
      const { id, method, params } = JSON.parse(line);
      const greeting = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } };
      const lists = { tools: ${JSON.stringify(tools)} };
      const result = { initialize: greeting, "tools/list": lists }[method];
      const error = { code: -32601, message: "Method not found" };
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
    }`,
  );
  const written = await lock("--", process.execPath, silent);
  expect(written).toMatchObject({ status: 0 });
  const fault =
    'lients built on SDK 2.x show no tools: the server does not declare the "tools" capability';
  expect(written.stderr).toContain(`${fault}; "mcp-meter check" will fail`);
  const checked = await meter("check", "--", process.execPath, silent);
  expect(checked).toMatchObject({ status: 1 });
  expect(checked.stdout).toContain(fault);
});
