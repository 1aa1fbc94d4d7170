import { describe, expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clients, type Connection, type TestClient, usualClients } from "../support/clients.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { allowed, judgedByTime } from "../support/measure.ts";
import { call, initialize, notification } from "../support/rpc.ts";
import { executable, metered, type ServerCommand } from "../support/servers.ts";
import { slowIf } from "../support/slow-cases.ts";
import { readArray, readMember } from "#wire/json.ts";
import { eachHome } from "./each-home.ts";
import { readRecords, recordsIn, runBare, runMeter } from "./run.ts";

const home = eachHome();

const served = (...options: readonly string[]): ServerCommand => ({
  name: "mcp-meter",
  argv: [executable(), "mcp", ...options],
  env: { ...home.env, TZ: "UTC" },
});

function keepSession(server: string, calls: number, hash = "a"): void {
  const folder = join(home.path, "state", "mcp-meter", "sessions", "2026-11-22");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const common = { server, session_id: crypto.randomUUID(), ts: new Date().toISOString() };
  const records = [
    sessionRecord(common),
    ...Array.from({ length: calls }, (_, at) =>
      callRecord({
        ...common,
        seq: at + 1,
        tool: "search",
        output_tokens: 1_000 + at,
        arguments_sha256: hash.repeat(64),
      }),
    ),
  ];
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  writeFileSync(join(folder, `${common.session_id}.ndjson`), lines.join(""));
}

async function connected<Result>(
  client: TestClient,
  server: ServerCommand,
  use: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await client.connect(server);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

async function asked(connection: Connection, tool: string, args: Record<string, unknown> = {}) {
  const outcome = await connection.callTool(tool, args);
  if (outcome.kind === "error") return { code: outcome.code, text: outcome.message };
  const [block] = readArray(outcome.result, "content") ?? [];
  const text = readMember(block, "text");
  return { isError: readMember(outcome.result, "isError") === true, text: String(text) };
}

describe("each client", () => {
  for (const client of clients) {
    const part = slowIf(!usualClients.has(client.name));
    test(`${client.name} lists and calls the tools, alone and behind mcp-meter${part}`, async () => {
      keepSession("garden", 3);
      for (const server of [served(), metered(served())]) {
        await connected(client, server, async (connection) => {
          expect(connection.greeting.server).toMatchObject({ name: "mcp-meter" });
          const tools = await connection.listTools();
          expect(tools.map(({ name }) => name)).toEqual(["usage", "budgets", "advice"]);
          const usage = await asked(connection, "usage", { server: "garden" });
          expect(usage).toMatchObject({ isError: false, text: expect.stringContaining("search") });
          const advice = await asked(connection, "advice", { server: "garden" });
          expect(advice.text).toContain(
            "1 call came directly after 2 or more identical ones; refuse such repeats with --max-repeats 2; wrap cannot find garden in your settings",
          );
          const budgets = await asked(connection, "budgets");
          expect(budgets.text).toStartWith("No budget counters yet; ");
          const mistake = await asked(connection, "usage", { by: "tols" });
          expect(mistake).toEqual({
            isError: true,
            text: '"by" must be one of hour, day, week, month, session, server, tool, model, client, agent, project, machine, user, estimator, confidence, not "tols"',
          });
          const unknown = await asked(connection, "usag");
          expect(unknown).toMatchObject({ code: -32_602 });
          expect(unknown.text).toContain(
            'Unknown tool "usag"; the tools are usage, budgets, advice',
          );
        });
      }
      const names = await readRecords(home.logs());
      expect(names.map((record) => record["server"])).toContain("mcp-meter");
    });
  }
});

test("its definitions take at most 350 tokens by our own profile, which knows the size of its answers", async () => {
  const profile = await runMeter(home, ["profile", "--format", "json", "--", ...served().argv]);
  const { definitions, instructions, tools } = JSON.parse(profile.stdout);
  expect(definitions.total_tokens + instructions.tokens).toBeLessThanOrEqual(350);
  expect(tools).toHaveLength(3);
  for (const { worst_case: most } of tools) expect(most.tokens).toBe(Math.ceil(8_000 / 3.5));
  const check = await runMeter(home, [
    "check",
    "--no-lock",
    "--max-total=350",
    "--",
    ...served().argv,
  ]);
  expect([check.status, check.stderr]).toEqual([0, ""]);
});

function fromClient(...messages: readonly object[]): string {
  const all = [initialize(), notification("notifications/initialized"), ...messages];
  return all.map((message) => `${JSON.stringify(message)}\n`).join("");
}

async function answersTo(input: string, requests: number, env: Record<string, string> = {}) {
  const child = Bun.spawn([executable(), "mcp"], {
    env: { ...process.env, ...home.env, ...env },
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  void child.stdin.write(input);
  void child.stdin.flush();
  let stdout = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stdout) {
    stdout += decoder.decode(chunk, { stream: true });
    if (stdout.split("\n").length > requests) await child.stdin.end();
  }
  const byId = new Map((await recordsIn(stdout)).map((one) => [one["id"], one]));
  return { byId, stderr: await new Response(child.stderr).text(), status: await child.exited };
}

describe("a client that is not one of an SDK", () => {
  test("gets all answers, and the end is 0", async () => {
    keepSession("garden", 1);
    const ids = [...Array(1_000).keys()];
    const asks = ids.map((id) => call(id, "usage", { top: 1 + (id % 9) }));
    const { byId, stderr, status } = await answersTo(fromClient(...asks), 1 + asks.length);
    expect([status, stderr]).toEqual([0, ""]);
    for (const id of ids) {
      expect(JSON.stringify(byId.get(id))).toContain("garden");
    }
  });

  test("gets an answer after lines that are not messages, and stdout has nothing else", async () => {
    const { byId, stderr, status } = await answersTo(
      `garbage\n${fromClient({ jsonrpc: "2.0", id: 7, method: "tools/call", params: 7 })}[]\n`,
      1,
      { MCP_METER_SUMMARY: "json", NO_COLOR: "1" },
    );
    expect([status, stderr]).toEqual([0, ""]);
    expect([...byId.keys()]).toEqual(["init"]);
    expect(byId.get("init")).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
  });

  test("without records, without a home and with a broken one gets an answer", async () => {
    const input = fromClient(call(1, "usage"), call(2, "budgets"), call(3, "advice"));
    const texts = async (env: Record<string, string>) => {
      const { byId, status } = await answersTo(input, 4, env);
      expect(status).toBe(0);
      return JSON.stringify([...byId.values()]);
    };
    expect(await texts({})).toContain("There are no records yet. ");
    const homeless = await texts({ HOME: "", XDG_STATE_HOME: "" });
    expect(homeless).toContain("Cannot find the records: set HOME or XDG_STATE_HOME");
    const folder = join(home.path, "state", "mcp-meter");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "sessions"), "a file");
    expect(await texts({})).toContain("part of the path is not a directory");
  });

  test("that closes nothing is served on, and SIGTERM ends it", async () => {
    const child = Bun.spawn([executable(), "mcp"], {
      env: { ...process.env, ...home.env },
      stdin: "pipe",
      stdout: "pipe",
      stderr: "ignore",
    });
    void child.stdin.write(fromClient());
    await child.stdin.flush();
    const { value } = await child.stdout.getReader().read();
    expect(new TextDecoder().decode(value)).toContain("serverInfo");
    child.kill("SIGTERM");
    await child.exited;
    expect(child.signalCode).toBe("SIGTERM");
  });

  test("that reads nothing, or whose disk is full, ends it (slow)", async () => {
    const input = fromClient(...Array.from({ length: 500 }, (_, id) => call(id, "usage")));
    const [program, ...args] = served().argv;
    const quoted = [program, ...args].map((word) => `'${word}'`).join(" ");
    const left = await runBare(["bash", "-c", `${quoted} | true; echo "\${PIPESTATUS[0]}"`], {
      input,
      env: home.env,
    });
    expect([left.stdout, left.stderr]).toEqual(["0\n", ""]);
    const full = Bun.spawn(["bash", "-c", `exec ${quoted} > /dev/full`], {
      env: { ...process.env, ...home.env },
      stdin: "pipe",
      stderr: "pipe",
    });
    void full.stdin.write(input);
    void full.stdin.flush();
    expect([await full.exited, await new Response(full.stderr).text()]).toEqual([
      2,
      "mcp-meter: Cannot write to stdout: no space left on the disk\n",
    ]);
  });

  test("a stdin that cannot be read is a sentence and 2; words and unknown options too (slow)", async () => {
    const script = `'${executable()}' mcp < /`;
    const { status, stderr } = await runBare(["sh", "-c", script], { env: home.env });
    expect([status, stderr]).toEqual([2, "mcp-meter: Cannot read stdin: it is a directory\n"]);
    for (const args of [
      ["x"],
      ["--fruit"],
      ["--timezone=Mars/City"],
      ["--prices", "/nowhere", "--cost"],
    ]) {
      const wrong = await runMeter(home, ["mcp", ...args]);
      expect([wrong.status, wrong.stdout]).toEqual([2, ""]);
      expect(wrong.stderr).toMatch(/^mcp-meter: .+\n$/);
    }
  });
});

test(
  "a gigabyte of records and named pipes do not keep a client waiting",
  judgedByTime,
  async () => {
    keepSession("garden", 2);
    const folder = join(home.path, "state", "mcp-meter", "sessions", "2026-11-22");
    // Sparse: its bytes are zeros, of which no line is a record.
    writeFileSync(join(folder, "huge.ndjson"), "");
    truncateSync(join(folder, "huge.ndjson"), 1024 ** 3);
    Bun.spawnSync(["mkfifo", join(folder, "pipe.ndjson")]);
    const started = performance.now();
    const { byId } = await answersTo(fromClient(call(1, "usage")), 2);
    expect(performance.now() - started).toBeLessThan(allowed(3_000));
    const text = JSON.stringify(byId.get(1));
    expect(text).toContain("garden");
    expect(text).toContain("Left out 1 record file: at most 512 MB are read");
  },
);
