import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  mkdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { CostRange } from "#records/money/price-book.ts";
import { renderStatusLine } from "#screens/renderers/status-line.ts";
import { makeClientMark } from "#state/storage/record-file.ts";
import { sha256 } from "#kit/os/hash.ts";
import { statusBytesMax, statusInputBytesMax } from "#commands/statusline/command.ts";
import { callRecord, definitionsRecord, sessionRecord } from "../support/made-records.ts";
import { allowed, judgedByTime } from "../support/measure.ts";
import { executable, small } from "../support/servers.ts";
import { eventually, waitMaxMs, within } from "../support/wait.ts";
import { eachHome } from "./each-home.ts";
import { legacyInput } from "./lines.ts";
import { type Extra, type Finished, runMeter, startMeter } from "./run.ts";

const home = eachHome();
const id = "0d1f6f1e-8f5a-4d55-9f0a-3f9a4f1f2b11";
const other = "7c2c51f0-6f8e-4f4e-8a53-0b8f0a4d1e22";
// The default of the client in reports.
const model = { id: "claude-opus-5-5", display_name: "Opus 5.5" };

function ask(input: unknown, flags: readonly string[] = [], env: Extra["env"] = {}) {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  return startMeter(home, ["statusline", ...flags], {
    input: text,
    env: { NO_COLOR: "1", ...env },
  });
}

function says(line: string): Finished {
  return { stdout: line === "" ? "" : `${line}\n`, stderr: "", status: 0 };
}

/** A session of Claude Code with a real server. */
async function converse(
  session: string,
  flags: readonly string[],
  calls: Parameters<typeof legacyInput>[0],
): Promise<void> {
  const input = legacyInput(calls).replace('"name":"printf"', '"name":"claude-code"');
  const env = { CLAUDE_CODE_SESSION_ID: session };
  await startMeter(home, [...flags, "--exit-code", "child", "--", ...small().argv], { input, env });
}

function writeRecords(
  name: { readonly day: string; readonly session: string; readonly server: string },
  records: readonly object[],
  parentPid = 7,
): string {
  const { day, session, server } = name;
  const folder = join(home.path, "state/mcp-meter/sessions", day);
  mkdirSync(folder, { recursive: true });
  const mark = makeClientMark(sha256(session), parentPid);
  const file = join(folder, `120000-${server}-${mark}-0a1b2c3d.ndjson`);
  const first = sessionRecord({ server, client_session_id_sha256: sha256(session) });
  const lines = [first, ...records].map((record) => `${JSON.stringify({ ...record, server })}\n`);
  writeFileSync(file, lines.join(""));
  return file;
}

type Reported = {
  readonly total: {
    readonly total_tokens: number;
    readonly calls: number;
    readonly refused: number;
    readonly cost_usd: CostRange;
  };
  readonly definitions: { readonly resident_tokens: number; readonly loaded_tokens: number };
};

async function report(...options: readonly string[]): Promise<Reported> {
  const { stdout } = await runMeter(home, ["report", "--json", "--cost", ...options]);
  return JSON.parse(stdout);
}

function sumTokens({ total, definitions }: Reported): number {
  return total.total_tokens + definitions.resident_tokens + definitions.loaded_tokens;
}

/** The line that the summary of `report` would give. */
async function reportLine(template: string): Promise<string> {
  const { total } = await report("--session", id);
  const servers = ["one", "two"].map(async (name) => {
    const file = home.logs().find((path) => path.includes(`-${name}-`)) ?? "";
    return { name, tokens: sumTokens(await report(file)) };
  });
  const { calls, refused, cost_usd: cost } = total;
  const sums = { servers: await Promise.all(servers), calls, refused, isEstimated: true };
  return renderStatusLine({ ...sums, cost, isComplete: true }, { template, color: false });
}

test("statusline has the sums that report has for the session, and no others", async () => {
  await converse(id, ["--server", "one"], [["echo", { message: "x ".repeat(900) }]]);
  await converse(
    id,
    ["--server", "two", "--budget", "echo=1"],
    [
      ["echo", { message: "y ".repeat(90) }],
      ["fail", {}],
    ],
  );
  await converse(other, ["--server", "three"], [["echo", { message: "z ".repeat(5_000) }]]);
  const input = { session_id: id, model };
  const template = "{tokens} {calls} {top} {cost} {refused}";
  const expected = await reportLine(template);
  expect(expected).toMatch(/^~[\d,.k]+ 3 calls one \d+% ~\$[\d.–]+ 1 refused$/);
  for (const _ of ["without the file of prices", "with it"])
    expect(await ask(input, ["--template", template])).toMatchObject(says(expected));
  expect(await ask(input)).toMatchObject(
    says(await reportLine("mcp {tokens} · {top} · {refused}")),
  );
});

/** Writes to a pipe, and leaves it open. */
async function askOpenly(text: string): Promise<Finished> {
  const child = Bun.spawn([executable(), "statusline"], {
    env: { ...process.env, ...home.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  await child.stdin.write(text);
  await child.stdin.flush();
  const outputs = Promise.all([child.stdout.text(), child.stderr.text()]);
  const [stdout, stderr] = await within("an end", waitMaxMs, outputs);
  return { stdout, stderr, status: await child.exited };
}

const day = new Date().toISOString().slice(0, 10);

describe("statusline", () => {
  test("what is not the JSON of a session is an empty line", async () => {
    writeRecords({ day, session: id, server: "one" }, [callRecord()]);
    const known = { session_id: id, model };
    const inputs = [
      "",
      "no JSON",
      "{",
      "null",
      "[]",
      "[".repeat(100_000),
      JSON.stringify(known).slice(0, -1),
      { session_id: 7 },
      { session_id: "" },
      { session_id: ["x"], model: id },
      { session_id: "../../../etc/passwd" },
      { session_id: "[0-9a-f]+|.*\u001b[2J" },
      { session_id: "x".repeat(10_000) },
      { session_id: other },
      { ...known, padding: "x".repeat(statusInputBytesMax) },
    ];
    const answers = await Promise.all(inputs.map((input) => ask(input)));
    for (const answer of answers) expect(answer).toMatchObject(says(""));
    const long = { ...known, padding: "x".repeat(statusInputBytesMax / 2) };
    expect(await ask(long)).toMatchObject(says("mcp ~110 · one 100%"));
  });

  test("a client that never closes the pipe gets the line at once, or nothing in a second", async () => {
    writeRecords({ day, session: id, server: "one" }, [callRecord()]);
    expect(await askOpenly(JSON.stringify({ session_id: id }))).toEqual(
      says("mcp ~110 · one 100%"),
    );
    expect(await askOpenly('{"session_id":')).toEqual(says(""));
  });

  test("damaged records, links and pipes among the files are passed over", async () => {
    const file = writeRecords({ day, session: id, server: "one" }, [callRecord()]);
    appendFileSync(
      file,
      '{"type":"call","server":"one","total_tokens":\n\u0000\n{"type":"call"}\n[1]\n{"torn',
    );
    const folder = dirname(file);
    const mark = makeClientMark(sha256(id), 7);
    symlinkSync(file, join(folder, `130000-one-${mark}-ffffffff.ndjson`));
    mkdirSync(join(folder, `140000-one-${mark}-ffffffff.ndjson`));
    Bun.spawnSync(["mkfifo", join(folder, `150000-one-${mark}-ffffffff.ndjson`)]);
    expect(await ask({ session_id: id })).toMatchObject(says("mcp ~110 · one 100%"));
  });

  test("after /clear it has the calls since, by the process of the client", async () => {
    const transcript = join(home.path, "transcript.jsonl");
    writeFileSync(transcript, "");
    const beganMs = statSync(transcript).birthtimeMs;
    const at = (ms: number) => callRecord({ ts: new Date(beganMs + ms).toISOString() });
    const records = [definitionsRecord(), at(-60_000), at(-5), at(1), at(60_000)];
    writeRecords({ day, session: id, server: "one" }, records, 4711);
    writeRecords({ day, session: "another client", server: "two" }, records, 471);
    const cleared = { session_id: other, transcript_path: transcript };
    const client = { CLAUDE_PID: "4711" };
    const flags = ["--template", "{tokens} in {calls}"];
    expect(await ask(cleared, flags, client)).toMatchObject(says("~380 in 2 calls"));
    expect(await ask({ session_id: id }, flags, client)).toMatchObject(says("~600 in 4 calls"));
    for (const [input, env] of [
      [cleared, {}],
      [cleared, { CLAUDE_PID: "1" }],
      [cleared, { CLAUDE_PID: "471.*" }],
      [{ session_id: other }, client],
      [{ ...cleared, transcript_path: join(home.path, "none") }, client],
    ] as const) {
      expect(await ask(input, flags, { CLAUDE_PID: "", ...env })).toMatchObject(says(""));
    }
  });

  test("colors follow NO_COLOR, and the environment is warned of nothing", async () => {
    writeRecords({ day, session: id, server: "one" }, [callRecord({ outcome: "refused" })]);
    const env = { MCP_METER_BUGDET: "1", MCP_METER_TEMPLATE: "{refused}" };
    expect(await ask({ session_id: id }, [], env)).toMatchObject(says("1 refused"));
    expect(await ask({ session_id: id }, [], { ...env, NO_COLOR: "" })).toMatchObject(
      says("\u001b[33m1 refused\u001b[39m"),
    );
  });

  test("mistakes in the options are told", async () => {
    const rows = [
      [["--template", "{tokns}"], `--template: unknown field "{tokns}" (did you mean {tokens}?)`],
      [["--cost", "--prices", "/none.json"], `Cannot read the prices in "/none.json"`],
      [["more"], `unexpected argument "more"`],
    ] as const;
    for (const [flags, sentence] of rows) {
      const { status, stdout, stderr } = await ask({ session_id: id }, flags);
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
      expect(stderr).toContain(sentence);
    }
  });

  test("a person who tries it is told what it reads", async () => {
    let shown = "";
    const child = Bun.spawn([executable(), "statusline"], {
      env: { ...process.env, ...home.env },
      terminal: { cols: 200, rows: 20, data: (_, chunk) => void (shown += String(chunk)) },
    });
    expect(await child.exited).toBe(2);
    await eventually("a sentence", () => shown.includes("reads the JSON that Claude Code passes"));
  });

  test("the oldest records are left out of many, which the line shows", async () => {
    const [yesterday] = new Date(Date.now() - 86_400_000).toISOString().split("T");
    const old = writeRecords({ day: yesterday ?? "", session: id, server: "one" }, [callRecord()]);
    const newest = writeRecords({ day, session: id, server: "one" }, [callRecord()]);
    const line = async () => (await ask({ session_id: id }, ["--template", "{tokens}"])).stdout;
    truncateSync(old, statusBytesMax - statSync(newest).size);
    expect(await line()).toBe("~220\n");
    truncateSync(old, statusBytesMax - statSync(newest).size + 1);
    expect(await line()).toBe("~110+\n");
  });

  test(
    "finds the records of the session among 3,000 in 30 ms (slow)",
    async () => {
      const dayMs = 86_400_000;
      for (let at = 0; at < 3_000; at += 1) {
        const date = new Date(Date.now() - (at % 30) * dayMs).toISOString().slice(0, 10);
        writeRecords({ day: date, session: `session ${at}`, server: "one" }, [callRecord()]);
      }
      writeRecords({ day, session: id, server: "two" }, [callRecord()]);
      const times: number[] = [];
      for (let round = 0; round < 15; round += 1) {
        const beganMs = performance.now();
        expect(await ask({ session_id: id })).toMatchObject(says("mcp ~110 · two 100%"));
        times.push(performance.now() - beganMs);
      }
      expect(Math.min(...times)).toBeLessThan(allowed(30));
    },
    judgedByTime,
  );
});
