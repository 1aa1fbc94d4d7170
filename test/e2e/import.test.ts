import { packedRecordsEnding, unpackText } from "#state/storage/compressed-files.ts";
import { sealBytes } from "#state/storage/cache-file.ts";
import { describe, expect, test } from "bun:test";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { importerIds } from "#history/importers/ids.ts";
import { canary, copyWithCanaries } from "../support/canaries.ts";
import { logsFolder } from "../support/logs.ts";
import { definitionsRecord, sessionRecord, toolDefinition } from "../support/made-records.ts";
import { has } from "../support/needs.ts";
import { executable } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, runMeter, startMeter } from "./run.ts";

const home = eachHome();

const importLogs = (...args: readonly string[]) => runMeter(home, ["import", ...args]);

test("the totals of a client's logs are printed, of the named servers alone", async () => {
  const from = join(logsFolder, "codex");
  const { about: _about, ...expected } = JSON.parse(
    readFileSync(join(from, "expected.json"), "utf8"),
  );
  const servers = (expected.known_servers as string[]).flatMap((name) => ["--server", name]);
  const { stdout, stderr, status } = await importLogs(
    "codex",
    "--from",
    from,
    "--json",
    ...servers,
  );
  expect([stderr, status]).toEqual(["", 0]);
  const { clients } = JSON.parse(stdout);
  expect(clients).toMatchObject([expected]);
});

test("without logs it says so, and fails", async () => {
  mkdirSync(join(home.path, "empty"));
  const from = ["--from", join(home.path, "empty")];
  const none = await importLogs(...from, "--json");
  const where = `in the home folder "${join(home.path, "empty")}"; search another folder with --from DIR\n`;
  expect([none.status, none.stderr]).toEqual([
    1,
    `mcp-meter: Found no logs of any client ${where}`,
  ]);
  expect(JSON.parse(none.stdout)).toEqual({ clients: [] });
  const named = await importLogs("claude-code", ...from);
  expect([named.status, named.stderr]).toEqual([
    1,
    `mcp-meter: Found no logs of Claude Code ${where}`,
  ]);
});

test("a dry run prints the files, and their sessions are not read", async () => {
  const from = join(logsFolder, "claude-code");
  const { stdout, stderr, status } = await importLogs("--from", from, "--dry-run", "--json");
  expect([status, stderr]).toEqual([0, ""]);
  const folder = join(from, ".claude", "projects");
  expect(JSON.parse(stdout)).toMatchObject({
    clients: [{ client: "claude-code", folders: [{ folder, files: 3, unreadable: [] }] }],
  });
  const empty = await importLogs("--from", home.path, "--dry-run");
  expect([empty.status, empty.stdout]).toEqual([1, "No logs\n"]);
  expect(empty.stderr).toStartWith("mcp-meter: Found no logs of any client in the home ");
});

test("a period is cut after copies are recognised, and no token is counted without wanting it", async () => {
  const from = ["--from", join(logsFolder, "claude-code"), "--json", "--timezone", "UTC"];
  const read = async (...options: readonly string[]) =>
    JSON.parse((await importLogs("claude-code", ...from, ...options)).stdout).clients[0];
  const first = await read("--until", "2026-03-14");
  const second = await read("--since", "20260315", "--no-tokens");
  expect([first.usage.requests, second.usage.requests]).toEqual([3, 5]);
  expect(first.usage).toEqual(first.usage_by_utc_day["2026-03-14"]);
  expect([first.mcp_calls, second.mcp_calls]).toEqual([2, 4]);
  expect(first.mcp_tokens.docs.search.answers).toBeGreaterThan(0);
  expect(second.mcp_tokens).toEqual({});
});

test("a table for people has the same numbers", async () => {
  const from = join(logsFolder, "claude-code");
  const { stdout, status } = await importLogs("claude-code", "--from", from);
  expect(status).toBe(0);
  expect(stdout).toContain("85,183");
  expect(stdout).toContain(
    "next         to see which calls fill the context, run:\n             mcp-meter report",
  );
});

test("what was read is kept: imported again, and while a client writes, the totals are the same as without (slow)", async () => {
  const from = join(home.path, "growing");
  cpSync(join(logsFolder, "claude-code"), from, { recursive: true });
  // Only the executable knows the same build again.
  const read = async (...options: readonly string[]) =>
    (await startMeter(home, ["import", "--from", from, ...options])).stdout;
  const cache = join(home.path, "state", "mcp-meter", "import-cache");
  const groups = join(cache, "claude-code.groups");
  const readWithout = async (...options: readonly string[]) => {
    rmSync(cache, { recursive: true });
    return await read(...options);
  };
  const first = await read();
  const written = statSync(groups).mtimeMs;
  expect(await read()).toBe(first);
  expect(statSync(groups).mtimeMs).toBe(written);
  const json = await read("--json");
  expect(await read("--json")).toBe(json);
  const folder = join(from, ".claude/projects/-work-demo");
  const path = join(folder, "22222222-bbbb-4bbb-8bbb-222222222222.jsonl");
  const whole = readFileSync(path, "utf8");
  writeFileSync(path, whole.slice(0, whole.length / 2));
  const half = await read();
  expect(half).not.toBe(first);
  expect(await readWithout()).toBe(half);
  appendFileSync(path, whole.slice(whole.length / 2));
  expect(await read()).toBe(first);
  expect(await readWithout("--json")).toBe(json);
  // A continued session begins with the lines of the one before: its file belongs to a known group.
  await read();
  writeFileSync(join(folder, "33333333-cccc-4ccc-8ccc-333333333333.jsonl"), whole);
  expect(await read()).toBe(await readWithout());
});

test("a log that cannot be read is said to be so by each import, and what could be read is kept", async () => {
  const from = join(home.path, "unreadable");
  cpSync(join(logsFolder, "claude-code"), from, { recursive: true });
  const path = join(from, ".claude/projects/-work-demo/44444444-dddd-4ddd-8ddd-444444444444.jsonl");
  writeFileSync(path, "x\n".repeat(100_002));
  const [first, again] = [await importLogs("--from", from), await importLogs("--from", from)];
  expect(first.stderr).toContain("over 100,000 of its lines cannot be read");
  expect(again).toEqual(first);
});

// Also what is packed.
function readKeptText(file: string): string {
  const bytes = readFileSync(file);
  if (file.endsWith(packedRecordsEnding)) return unpackText(bytes);
  const isSealed = file.endsWith(".groups") || file.endsWith("last-import");
  return isSealed ? unpackText(bytes.subarray(sealBytes)) : bytes.toString();
}

// `--names` prints and keeps the base names of the folders in the logs.
function removeProjectNames(text: string): string {
  return text.replaceAll(new RegExp(`"(?:cpw|demo|qu|w) ${canary}"`, "g"), '""');
}

describe("privacy", () => {
  test("no payload, prompt, title, path or branch is printed or kept", async () => {
    const from = join(home.path, "marked");
    copyWithCanaries(
      importerIds.map((id) => join(logsFolder, id)),
      from,
    );
    for (const options of [["--json"], [], ["--names", "--json"], ["--dry-run"]]) {
      const { stdout, stderr } = await importLogs("--from", from, ...options);
      expect(stdout).not.toBe("");
      const isNamed = options.includes("--names");
      const printed = isNamed ? removeProjectNames(stdout) : stdout;
      expect(printed + stderr).not.toContain(canary);
    }
    const kept = filesBelow(join(home.path, "state")).map(readKeptText);
    expect(kept.join("")).toContain("imported_call");
    expect(kept.join("")).toContain("beganMs");
    expect(removeProjectNames(kept.join(""))).not.toContain(canary);
  });

  if (!has("strace", "opened files of an import")) return;

  test("files with secrets are never opened", async () => {
    const from = join(home.path, "home");
    for (const id of importerIds) cpSync(join(logsFolder, id), from, { recursive: true });
    const secrets = [
      ".claude/.credentials.json",
      ".claude.json",
      ".claude/history.jsonl",
      ".claude/projects/history.jsonl",
      ".claude/projects/-work-demo/history.jsonl",
      ".claude/projects/-work-demo/11111111-aaaa-4aaa-8aaa-111111111111/tool-results/b1.txt",
      ".claude/shell-snapshots/snapshot-1.sh",
      ".codex/auth.json",
      ".codex/history.jsonl",
      ".codex/config.toml",
      ".gemini/oauth_creds.json",
      ".gemini/settings.json",
      ".config/Code/User/globalStorage/state.vscdb",
      ".config/Cursor/User/globalStorage/state.vscdb",
      ".local/share/opencode/auth.json",
    ];
    for (const secret of secrets) {
      mkdirSync(join(from, secret, ".."), { recursive: true });
      writeFileSync(join(from, secret), "{}");
    }
    const trace = join(home.path, "trace");
    const run = Bun.spawnSync({
      cmd: ["strace", "-f", "-e", "trace=open,openat,openat2", "-o", trace, executable(), "import"],
      env: { ...process.env, ...home.env, HOME: from },
      stdout: "pipe",
    });
    expect(run.exitCode).toBe(0);
    const opened = readFileSync(trace, "utf8");
    expect(opened).toContain("11111111-aaaa-4aaa-8aaa-111111111111.jsonl");
    expect(secrets.filter((secret) => opened.includes(`/${secret}"`))).toEqual([]);
    expect(opened).not.toMatch(/meta\.json"/);
  });
});

async function reported(...args: readonly string[]) {
  const { stdout, stderr, status } = await runMeter(home, [
    "report",
    "--since",
    "2026-03-01",
    "--json",
    ...args,
  ]);
  expect([stderr, status]).toEqual(["", 0]);
  const { blocks } = JSON.parse(stdout);
  return blocks;
}

const readProjects = async (): Promise<readonly string[]> => {
  const [block] = await reported("--by", "project");
  const rows: readonly { readonly project?: string }[] = block.tables[0].rows;
  return rows.flatMap(({ project }) => project ?? []);
};

describe("records", () => {
  const from = join(logsFolder, "claude-code");
  const servers = ["--server", "docs", "--server", "plugin_notes_notes"];
  const importAgain = (...names: readonly string[]) =>
    importLogs("claude-code", "--from", from, ...servers, ...names);
  const imported = () => importAgain();

  test("of an import are in reports; a second import changes none", async () => {
    await imported();
    const files = filesBelow(join(home.path, "state/mcp-meter/imports"));
    expect(files.length).toBeGreaterThan(1);
    const once = files.map((file) => readFileSync(file, "utf8"));
    const blocks = await reported("--by", "server");
    expect(blocks).toHaveLength(1);
    expect(blocks[0].totals).toMatchObject({ calls: 6, imported_calls: 6, paired_calls: 0 });
    expect(blocks[0].totals.carried_tokens).toBeGreaterThan(0);
    await imported();
    expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(once);
    expect(await reported("--by", "server")).toEqual(blocks);
  });

  test("name projects from --names on, read from the cache again, until --no-names", async () => {
    await importAgain();
    expect(await readProjects()).not.toContain("demo");
    const named = await importAgain("--names");
    expect(await readProjects()).toContain("demo");
    expect(await importAgain()).toEqual(named);
    await importAgain("--since", "2026-03-01");
    expect(await readProjects()).toContain("demo");
    await importAgain("--no-names");
    expect(await readProjects()).not.toContain("demo");
    await importAgain();
    const kept = filesBelow(join(home.path, "state")).map(readKeptText);
    expect(kept.join("")).not.toContain('"demo"');
  });

  test("of one client are removed by prune, and the next import reads its logs again", async () => {
    await imported();
    const folder = join(home.path, "state/mcp-meter");
    const kept = () => filesBelow(folder).filter((file) => /imports\/|import-cache\//.test(file));
    const before = kept();
    const prune = (...args: readonly string[]) => runMeter(home, ["prune", ...args]);
    const listed = await prune("--imported", "claude-code", "--json");
    const records = before.filter((file) => file.endsWith(packedRecordsEnding));
    const { files } = JSON.parse(listed.stdout);
    expect(files.map(({ file }: { readonly file: string }) => file).toSorted()).toEqual(
      records.toSorted(),
    );
    expect(kept()).toEqual(before);
    expect(JSON.parse((await prune("--imported", "codex", "--json")).stdout).files).toEqual([]);
    const { stdout } = await prune("--imported", "claude-code", "--yes");
    expect(stdout).toMatch(/^Removed \d+ files/);
    expect(stdout).toMatch(
      /imported +\d+ files of imported history; it has no daily totals, and importing it again requires/,
    );
    expect(kept().filter((file) => !file.endsWith("servers.json"))).toEqual([]);
    await imported();
    expect(kept().length).toBe(before.length);
  });

  test("cost what the turns of their conversation say", async () => {
    await imported();
    const [block] = await reported("--by", "tool", "--cost");
    type Row = { readonly cost_usd?: { readonly low: number } };
    const rows: readonly Row[] = block.tables[0].rows;
    const sum = rows.reduce((total, row) => total + (row.cost_usd?.low ?? 0), 0);
    expect(sum).toBeCloseTo(block.totals.cost_usd.low, 9);
    expect(block.totals.cost_usd.low).toBeGreaterThan(0);
  });

  test("have the servers that were there, called or not, with the names that the client listed", async () => {
    const other = join(
      home.path,
      "other/.claude/projects/-work/33333333-cccc-4ccc-8ccc-333333333333.jsonl",
    );
    mkdirSync(join(other, ".."), { recursive: true });
    const line = { sessionId: "33333333-cccc-4ccc-8ccc-333333333333", isSidechain: false };
    const lines = [
      {
        ...line,
        type: "attachment",
        uuid: "a",
        timestamp: "2026-03-15T10:00:00.000Z",
        attachment: {
          type: "deferred_tools_delta",
          addedNames: ["mcp__shelf__read", "mcp__shelf__write", "mcp__x__\u001b[31m", "Bash"],
          removedNames: [],
        },
      },
      {
        ...line,
        type: "assistant",
        uuid: "b",
        requestId: "req_9",
        timestamp: "2026-03-15T10:00:01.000Z",
        message: {
          id: "msg_9",
          model: "claude-opus-4-6",
          usage: { input_tokens: 4_000, output_tokens: 9 },
          content: [],
        },
      },
    ];
    writeFileSync(other, lines.map((one) => `${JSON.stringify(one)}\n`).join(""));
    await importLogs("claude-code", "--from", from, "--from", join(home.path, "other"), ...servers);
    const [block] = await reported("--cost");
    const shelf = block.rents.find(({ server }: { server: string }) => server === "shelf");
    expect(shelf).toMatchObject({ calls: 0, rent_requests: 1, rent_unknown_requests: 0 });
    expect(shelf.rent_tokens).toBeGreaterThan(8);
    expect(shelf.rent_usd).toBeGreaterThan(0);
    expect(block.rents.map(({ server }: { server: string }) => server)).toContain("docs");
    const { stdout } = await runMeter(home, [
      "report",
      "--since",
      "2026-03-01",
      "--until",
      "2026-03-30",
      "--by",
      "server",
      "--resent",
    ]);
    expect(stdout).toContain("shelf: never called in 30 days, ~");
    expect(stdout).not.toContain("\u001b");
  });

  test("are in advice: a tool that only a log has called was called", async () => {
    const records = [1, 2, 3].flatMap((session) => {
      const common = {
        session_id: `wire-${session}`,
        server: "docs",
        ts: "2026-03-14T12:00:00.000Z",
      };
      const tools = ["search", "burn"].map((name) => ({
        ...toolDefinition(name, 1_500),
        sha256: "0".repeat(64),
      }));
      return [
        sessionRecord({ ...common, estimator: "claude" }),
        definitionsRecord({ ...common, seq: 1, tools }),
      ];
    });
    const folder = join(home.path, "state/mcp-meter/sessions/2026-03-14");
    mkdirSync(folder, { recursive: true });
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join("");
    writeFileSync(join(folder, "made.ndjson"), text);
    const advised = async () => {
      const args = ["report", "--advice", "--since", "2026-03-01", "--json"];
      const { stdout, stderr, status } = await runMeter(home, args);
      expect([status, stderr]).toEqual([0, ""]);
      type Block = {
        readonly advice: readonly { readonly kind: string; readonly names?: unknown }[];
      };
      const { blocks }: { readonly blocks: readonly Block[] } = JSON.parse(stdout);
      return blocks.flatMap(({ advice }) => advice.map(({ kind, names }) => [kind, names]));
    };
    expect(await advised()).toEqual([["unused_server", undefined]]);
    await imported();
    expect(await advised()).toContainEqual(["unused_tools", ["burn"]]);
  });

  test("in a named file are the same, also after a second time and with the others", async () => {
    await imported();
    const byDefault = await reported("--by", "server");
    await importLogs("claude-code", "--from", from, ...servers, "--log", "all.ndjson");
    expect(await reported("--by", "server", "all.ndjson")).toEqual(byDefault);
    expect(await reported("--by", "server", "all.ndjson", "state")).toEqual(byDefault);
  });

  test("alone have a report over time where sessions have a summary", async () => {
    await importLogs("claude-code", "--from", from, ...servers, "--log", "all.ndjson");
    const { stdout, status } = await runMeter(home, ["report", "all.ndjson"]);
    expect([status, stdout]).toEqual([0, expect.stringContaining("6 calls from client logs")]);
    const input = readFileSync(join(home.path, "all.ndjson"), "utf8");
    const piped = await runMeter(home, ["report", "-"], { input });
    expect([piped.status, piped.stderr]).toEqual([2, expect.stringContaining("use --by")]);
  });

  test("are replayed to a budget", async () => {
    await imported();
    const { stdout, status } = await runMeter(home, [
      "report",
      "--what-if",
      "search=1/session",
      "--since",
      "2026-03-01",
      "--json",
    ]);
    const { budgets } = JSON.parse(stdout);
    expect([status, budgets[0].calls]).toEqual([0, 2]);
  });

  test("are not written with --log off and without tokens", async () => {
    await importLogs("claude-code", "--from", from, "--log", "off");
    await importLogs("claude-code", "--from", from, "--no-tokens");
    expect(filesBelow(join(home.path, "state/mcp-meter/imports"))).toEqual([]);
  });
});

test("all clients are listed with their folders, also those without logs", async () => {
  const from = join(logsFolder, "roo-code");
  const { stdout, stderr, status } = await importLogs("--from", from, "--list", "--json");
  expect([status, stderr]).toEqual([0, ""]);
  const { clients } = JSON.parse(stdout);
  expect(clients.map(({ client }: { client: string }) => client)).toEqual([...importerIds]);
  expect(clients.at(0)).toMatchObject({ client: "claude-code", is_found: false });
  expect(clients).toContainEqual(
    expect.objectContaining({ client: "roo-code", is_found: true, server_names: "logged" }),
  );
  const { stdout: table } = await importLogs("--from", from, "--list", "roo-code");
  expect(table).toContain("roo-code  Roo Code      1  in the log");
  expect(table).toContain("not verified  roo-code: ");
  const both = await importLogs("--list", "--dry-run");
  expect([both.status, both.stderr]).toEqual([
    2,
    expect.stringContaining("Cannot combine --list with --dry-run"),
  ]);
});
