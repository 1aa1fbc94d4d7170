import { packedRecordsEnding, unpackText } from "#state/storage/compressed-files.ts";
import { isImportedRecord } from "#state/storage/read-records.ts";
import { expect, test } from "bun:test";
import {
  cpSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { mutated, seeded } from "../support/hostile-logs.ts";
import { allowed } from "../support/measure.ts";
import { logsFolder } from "../support/logs.ts";
import { OpenCodeHome } from "../support/opencode-home.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, runMeter } from "./run.ts";

const home = eachHome();

const importLogs = (...args: readonly string[]) => runMeter(home, ["import", ...args]);

const example = join(logsFolder, "claude-code");
const session = ".claude/projects/-work-demo/11111111-aaaa-4aaa-8aaa-111111111111.jsonl";

async function reportedCalls(): Promise<number> {
  const { stdout } = await runMeter(home, ["report", "--since", "2026-03-01", "--json"]);
  const blocks: { totals: { calls: number } }[] = JSON.parse(stdout || "{}").blocks ?? [];
  return blocks.reduce((sum, { totals }) => sum + totals.calls, 0);
}

test("names of servers are given once: a later import without them keeps their calls", async () => {
  using made = new OpenCodeHome();
  const from = ["opencode", "--from", made.path];
  const named = await importLogs(...from, "--server", "docs", "--server", "my_notes", "--json");
  expect(await reportedCalls()).toBe(5);
  const later = await importLogs(...from, "--json");
  expect(later.stdout).toBe(named.stdout);
  expect(await reportedCalls()).toBe(5);
});

test("an older copy of a session does not replace its newer records", async () => {
  await importLogs("--from", example);
  const older = join(home.path, "older");
  cpSync(example, older, { recursive: true });
  const lines = readFileSync(join(example, session), "utf8").split("\n");
  writeFileSync(join(older, session), `${lines.slice(0, 8).join("\n")}\n`);
  expect(await reportedCalls()).toBe(6);
  expect((await importLogs("--from", older)).status).toBe(0);
  expect(await reportedCalls()).toBe(6);
});

test("a record that cannot be written stops no other, and is a failure", async () => {
  await importLogs("--from", example);
  const imports = join(home.path, "state/mcp-meter/imports");
  const [blocked = "", ...others] = filesBelow(imports);
  for (const file of [blocked, ...others]) rmSync(file);
  mkdirSync(blocked);
  const { stderr, status, stdout } = await importLogs("--from", example);
  expect(stdout).toContain("85,183");
  expect([stderr, status]).toEqual([
    `mcp-meter: Cannot write the records of 1 conversation to "${imports}": it is a directory\n`,
    1,
  ]);
  expect(others.map((file) => statSync(file).size > 0)).toEqual(others.map(() => true));
});

test("imported records from a pipe need --by, because they cannot be read again", async () => {
  const file = join(home.path, "piped.ndjson");
  await importLogs("--from", example, "--log", file);
  const input = readFileSync(file, "utf8");
  for (const name of ["-", "/dev/stdin"]) {
    const { status, stdout, stderr } = await runMeter(home, ["report", name], { input });
    expect([name, status, stdout]).toEqual([name, 2, ""]);
    expect(stderr).toContain("use --by to report them");
    const byTool = await runMeter(home, ["report", name, "--by", "tool"], { input });
    expect([name, byTool.status, byTool.stdout]).toEqual([
      name,
      0,
      expect.stringContaining("search"),
    ]);
  }
});

test("--log replaces an import of its own, for this user only, and nothing else", async () => {
  const file = join(home.path, "records.ndjson");
  const written = async () => {
    const { status } = await importLogs("--from", example, "--log", file);
    return [status, readFileSync(file, "utf8")] as const;
  };
  const first = await written();
  expect(first).toEqual([0, expect.stringContaining('"type":"imported_call"')]);
  expect(await written()).toEqual(first);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '{"type":"session","schema_version":"1.0"}\n');
  const { status, stderr } = await importLogs("--from", example, "--log", file);
  expect([status, stderr]).toEqual([
    1,
    `mcp-meter: Cannot write imported records to "${file}": it holds something other than an import\n`,
  ]);
  expect(readFileSync(file, "utf8")).toStartWith('{"type":"session"');
});

test("a time beyond four-digit years, and half of a character, leave records and JSON that can be read", async () => {
  const from = join(home.path, "odd");
  cpSync(example, from, { recursive: true });
  const path = join(from, session);
  const odd = readFileSync(path, "utf8")
    .replaceAll("2026-03-15T00:02:30.000Z", "+275760-09-13T00:00:00.000Z")
    .replaceAll("mcp__docs__search", String.raw`mcp__docs__\ud800search`);
  writeFileSync(path, odd);
  const { stdout } = await importLogs("--from", from, "--json");
  expect(stdout).not.toMatch(/\\ud800|\+275760/);
  const { stderr } = await runMeter(home, ["report", "--since", "2026-03-01"]);
  expect(stderr).toBe("");
});

const homesWithLogs = readdirSync(logsFolder)
  .flatMap((name) => {
    const nested = ["claude-code-runs", "real"].includes(name);
    return nested ? readdirSync(join(logsFolder, name)).map((run) => join(name, run)) : [name];
  })
  .filter((name) => name !== "codex-migrated");

test("after an import that was killed while it wrote, report and doctor say so until the next one", async () => {
  const imports = join(home.path, "state/mcp-meter/imports");
  mkdirSync(imports, { recursive: true });
  writeFileSync(join(imports, "unfinished"), "");
  const report = () => runMeter(home, ["report"]);
  expect((await report()).stderr).toContain("run mcp-meter import");
  expect((await runMeter(home, ["doctor"])).stdout).toContain(
    "an import is running or was interrupted",
  );
  await importLogs("claude-code", "--from", join(logsFolder, "claude-code"));
  expect((await report()).stderr).not.toContain("import");
  // Even if nothing but the mark has changed.
  writeFileSync(join(imports, "unfinished"), "");
  await importLogs("claude-code", "--from", join(logsFolder, "claude-code"));
  expect(existsSync(join(imports, "unfinished"))).toBe(false);
});

const hostileSeeds = Number(process.env["HOSTILE_SEEDS"] ?? 3);

test.each(Array.from({ length: hostileSeeds }, (_, index) => index + 1))(
  "row 163: hostile numbers and names in logs of every client, seed %i → report reads all that import writes",
  async (seed) => {
    const random = seeded(seed);
    const from = join(home.path, "hostile");
    for (const name of homesWithLogs) {
      cpSync(join(logsFolder, name), join(from, name), { recursive: true });
      for (const file of filesBelow(join(from, name)).filter((path) => /\.jsonl?$/.test(path))) {
        writeFileSync(file, mutated(readFileSync(file, "utf8"), file.endsWith("l"), random));
      }
    }
    const homes = homesWithLogs.flatMap((name) => ["--from", join(from, name)]);
    const { stdout, status } = await importLogs(...homes, "--server", "docs", "--json");
    expect(status).toBe(0);
    expect(JSON.parse(stdout).clients.length).toBeGreaterThan(7);
    const written = filesBelow(join(home.path, "state/mcp-meter/imports"))
      .filter((file) => file.endsWith(packedRecordsEnding))
      .flatMap((file) => unpackText(readFileSync(file)).trimEnd().split("\n"));
    expect(written.length).toBeGreaterThan(100);
    expect(written.filter((line) => !isImportedRecord(JSON.parse(line)))).toEqual([]);
    const report = await runMeter(home, ["report", "--since", "1970-01-01", "--by", "model"]);
    expect([report.stderr, report.status]).toEqual(["", 0]);
  },
);

const codexLogs = ".codex/sessions/2026/03/14/rollout-2026-03-14T23-50-00-";

test("row 163: a compressed log that unpacks to gigabytes → one sentence, and the other logs are read (slow)", async () => {
  const from = join(home.path, "bomb");
  cpSync(join(logsFolder, "codex"), from, { recursive: true });
  const bomb = join(from, `${codexLogs}019c0000-0000-7000-8000-0000000000b0.jsonl.zst`);
  const block = Buffer.alloc(1024 * 1024, "\n");
  const blocks = Readable.from(Array.from({ length: 2_000 }, () => block));
  await pipeline(blocks, createZstdCompress(), createWriteStream(bomb));
  expect(statSync(bomb).size).toBeLessThan(200_000);
  const started = performance.now();
  const { stdout, stderr } = await importLogs("codex", "--from", from, "--json");
  expect(performance.now() - started).toBeLessThan(allowed(10_000));
  expect(stderr).toBe(`mcp-meter: Cannot read "${bomb}": it unpacks to over 100 times its size\n`);
  expect(JSON.parse(stdout).clients[0].usage.requests).toBeGreaterThan(0);
});

test("row 163: a log of millions of lines that are not JSON → one sentence", async () => {
  const log = join(home.path, `lines/${codexLogs}019c0000-0000-7000-8000-0000000000b1.jsonl`);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, "{x}\n".repeat(10_000_000));
  const started = performance.now();
  const { stderr } = await importLogs("codex", "--from", join(home.path, "lines"), "--json");
  expect(performance.now() - started).toBeLessThan(allowed(10_000));
  expect(stderr).toStartWith(
    `mcp-meter: Cannot read "${log}": over 100,000 of its lines cannot be read\n`,
  );
});

test("row 163: an answer that is a list of texts has their bytes", async () => {
  const folder = join(home.path, "texts/.gemini/tmp/demo/chats");
  mkdirSync(folder, { recursive: true });
  const at = "2026-03-14T10:00:00.000Z";
  const call = { id: "c1", name: "mcp_docs_search", args: {}, status: "success", timestamp: at };
  const lines = [
    { sessionId: "aaaa1111-0000-4000-8000-000000000001", startTime: at },
    {
      id: "m1",
      type: "gemini",
      timestamp: at,
      toolCalls: [{ ...call, result: ["ten ", "bytes!"] }],
    },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  writeFileSync(join(folder, "session-2026-03-14T10-00-aaaa1111.jsonl"), text);
  const { stdout } = await importLogs("gemini-cli", "--from", join(home.path, "texts"), "--json");
  expect(JSON.parse(stdout).clients[0].calls).toMatchObject([{ visible_bytes: 10 }]);
});
