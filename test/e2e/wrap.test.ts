import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { findServers } from "#clients/configured-entries.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import { sha256 } from "#kit/os/hash.ts";
import { openV1 } from "../support/client-v1.ts";
import { has } from "../support/needs.ts";
import { commandSchema } from "../support/report-schemas.ts";
import { executable, legacy } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { filesBelow, runBare, runMeter } from "./run.ts";

const home = eachHome();

const [program, ...args] = legacy().argv;
const command = JSON.stringify(program);
const list = JSON.stringify(args);

const json = (key: string, name: string): string =>
  `{\n  "other": [1.0, "\\u00e9"],\n  "${key}": {\n    "${name}": { "command": ${command}, "args": ${list} }\n  }\n}`;

const settings: readonly (readonly [client: ClientId, file: string, text: string])[] = [
  [
    "claude-code",
    ".claude.json",
    `{"numStartups":1e3,"projects":{"/p":{"mcpServers":{"claude-code":{"type":"stdio","command":${command},"args":${list},"env":{}}}}}}`,
  ],
  [
    "claude-desktop",
    "config/Claude/claude_desktop_config.json",
    json("mcpServers", "claude-desktop"),
  ],
  [
    "codex",
    ".codex/config.toml",
    `# mine\r\n[mcp_servers.codex] # one\r\ncommand = ${command}   # program\r\nargs = [\r\n  ${args.map((one) => JSON.stringify(one)).join(",\r\n  ")}, # last\r\n]\r\n`,
  ],
  [
    "vs-code",
    "config/Code/User/mcp.json",
    `// mine\n${json("servers", "vs-code").replace("1.0", "/* x */ 1.0")}\n`,
  ],
  ["cursor", ".cursor/mcp.json", `\ufeff${json("mcpServers", "cursor").replaceAll("\n", "\r\n")}`],
  ["gemini-cli", ".gemini/settings.json", json("mcpServers", "gemini-cli")],
  ["copilot-cli", ".copilot/mcp-config.json", json("mcpServers", "copilot-cli")],
  [
    "opencode",
    "config/opencode/opencode.jsonc",
    `{"mcp":{"opencode":{"type":"local","command":[${command}, ${list.slice(1)},"enabled":true,}}}`,
  ],
  ["qwen-code", ".qwen/settings.json", json("mcpServers", "qwen-code")],
  [
    "goose",
    "config/goose/config.yaml",
    `# goose\nextensions:\n  goose:   # the one\n    type: stdio\n    cmd: ${program}\n    args:\n${args.map((one) => `    - ${one}   # x\n`).join("")}    enabled: true\n`,
  ],
  [
    "zed",
    "config/zed/settings.json",
    `{"context_servers":{"zed":{"source":"custom","command":{"path":${command},"args":${list}}}}}`,
  ],
  ["windsurf", ".codeium/windsurf/mcp_config.json", json("mcpServers", "windsurf")],
  [
    "continue",
    ".continue/config.yaml",
    `name: Local\nmcpServers:\n  - name: continue\n    command: '${program}'\n    args: ${list}   # flow\n    env: &e {K: v}\nmodels:\n  - <<: *e\n`,
  ],
  ["kiro", ".kiro/settings/mcp.json", json("mcpServers", "kiro")],
  [
    "kilo-code",
    "config/kilo/kilo.json",
    `{"mcp":{"kilo-code":{"type":"local","command":[${command},${list.slice(1)}}}}`,
  ],
  [
    "grok-build",
    ".grok/config.toml",
    `mcp_servers.grok-build = { command = ${command}, args = ${list} }\n`,
  ],
];

function write(name: string, text: string): string {
  const path = join(home.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function hashes(): readonly (readonly [file: string, hash: string, mode: number])[] {
  const state = join(home.path, "state");
  return filesBelow(home.path)
    .filter((file) => !file.startsWith(state))
    .map(
      (file) =>
        [relative(home.path, file), sha256(readFileSync(file)), lstatSync(file).mode] as const,
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function wordsOf(client: ClientId, file: string): readonly [string, ...string[]] {
  const read = readClientFile(join(home.path, file), clients[client].language);
  if (read === undefined || "fault" in read) throw new Error(read?.fault ?? "missing");
  const server = findServers(clients[client], read.value).find(({ rawName }) => rawName === client);
  const [first, ...rest] = server?.command ?? [];
  if (first === undefined) throw new Error(`${client} starts nothing`);
  return [first, ...rest];
}

test("sixteen clients: wrapped, spoken to, reported, unwrapped to the same bytes (slow)", async () => {
  for (const [, file, text] of settings) write(file, text);
  chmodSync(join(home.path, ".claude.json"), 0o600);
  const before = hashes();
  const wrapped = await runMeter(home, ["wrap", "--all", "--yes"]);
  expect([wrapped.status, wrapped.stderr]).toEqual([0, ""]);
  expect(wrapped.stdout).toStartWith(`Wrapped ${settings.length} servers\n`);
  const started = settings.map(async ([client, file]) => {
    const argv = wordsOf(client, file);
    expect(argv.slice(0, 6)).toEqual([
      executable(),
      "--server",
      client,
      "--exit-code",
      "child",
      "--",
    ]);
    const env = { ...home.env, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
    const connection = await openV1({ name: client, argv, env });
    const answer = await connection.callTool({ name: "echo", arguments: { message: client } });
    expect(JSON.stringify(answer)).toContain(client);
    await connection.close();
  });
  await Promise.all(started);
  const { stdout } = await runMeter(home, ["report", "--by", "server", "--wide"]);
  for (const [client] of settings) expect(stdout).toContain(client);
  const again = await runMeter(home, ["wrap", "--all", "--yes"]);
  expect([again.status, again.stdout.split("\n")[0]]).toEqual([0, "Nothing to change"]);
  const unwrapped = await runMeter(home, ["unwrap", "--all", "--yes"]);
  expect([unwrapped.status, unwrapped.stderr]).toEqual([0, ""]);
  expect(hashes()).toEqual(before);
  expect(filesBelow(join(home.path, "state", "mcp-meter", "backups"))).toEqual([]);
});

const plain = '{"mcpServers":{"a":{"command":"x"},"r":{"url":"https://example.com"}}}';

describe("wrap", () => {
  test("prints the change and the command for it, and writes nothing", async () => {
    write(".cursor/mcp.json", plain);
    const before = hashes();
    const { status, stdout, stderr } = await runMeter(home, ["wrap"]);
    expect([status, hashes()]).toEqual([0, before]);
    expect(stdout).toContain('+ {"mcpServers":{"a":{"command":"');
    expect(stderr).toBe(
      'mcp-meter: Nothing was changed; to apply the changes, run "mcp-meter wrap --all --yes"\n',
    );
    expect(existsSync(join(home.path, "state"))).toBe(false);
  });

  test("writes the options of run into the entry", async () => {
    const file = write(".cursor/mcp.json", plain);
    const { status } = await runMeter(home, [
      "wrap",
      "a",
      "--yes",
      "--",
      "--budget",
      "100k/session",
    ]);
    expect(status).toBe(0);
    expect(readFileSync(file, "utf8")).toContain('"child","--budget","100k/session","--","x"]');
    const { stdout } = await runMeter(home, ["wrap", "--list", "--json"]);
    const report = JSON.parse(stdout);
    const validate = commandSchema("wrap");
    expect([validate(report), validate.errors]).toEqual([true, null]);
    expect(report.servers).toMatchObject([
      { client: "cursor", server: "a", state: "behind", since: expect.any(String) },
      { server: "r", state: "remote" },
    ]);
  });

  test("a remote server that is named is refused, and one that is missing is an error", async () => {
    write(".cursor/mcp.json", plain);
    expect((await runMeter(home, ["wrap", "r", "--yes"])).status).toBe(1);
    const missing = await runMeter(home, ["wrap", "b", "--yes"]);
    expect([missing.status, missing.stdout]).toEqual([1, ""]);
    expect((await runMeter(home, ["wrap", "--yes"])).status).toBe(2);
  });

  test("nothing found is an error", async () => {
    const { status, stderr } = await runMeter(home, ["wrap", "--all", "--yes"]);
    expect([status, stderr]).toEqual([
      1,
      "mcp-meter: Found no MCP servers in the settings of known clients; name a file with --file\n",
    ]);
  });

  test("a link of a dotfile manager stays, and a file that cannot be read or written stops no other", async () => {
    const target = write("dotfiles/cursor.json", plain);
    mkdirSync(join(home.path, ".cursor"));
    symlinkSync(target, join(home.path, ".cursor/mcp.json"));
    write(".claude.json", "{");
    const locked = write(".qwen/settings.json", plain);
    chmodSync(locked, 0o444);
    const { status, stderr } = await runMeter(home, ["wrap", "--all", "--yes"]);
    expect(status).toBe(1);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringMatching(
        /^mcp-meter: Cannot read the settings ".*\.claude\.json", line 1, column \d+: /,
      ),
      expect.stringMatching(
        /^mcp-meter: Cannot write the settings ".*": it is read-only; they are left unchanged$/,
      ),
    ]);
    expect(lstatSync(join(home.path, ".cursor/mcp.json")).isSymbolicLink()).toBe(true);
    expect([readFileSync(target, "utf8"), readFileSync(locked, "utf8")]).toEqual([
      expect.stringContaining('"--server","a"'),
      plain,
    ]);
  });

  test("a file of a project is changed only with --project, and found by the journal", async () => {
    const file = write("work/.mcp.json", plain);
    const cwd = join(home.path, "work");
    const left = await runMeter(home, ["wrap", "--all", "--yes"], { cwd });
    expect([left.status, left.stderr.split("\n")[0]]).toEqual([
      1,
      "mcp-meter: Leaving out the settings of the project in this folder; pass --project . to include them",
    ]);
    const { status } = await runMeter(home, ["wrap", "--all", "--yes", "--project", "."], { cwd });
    const wrapped = expect.stringContaining('"--server","a"');
    expect([status, readFileSync(file, "utf8")]).toEqual([0, wrapped]);
    expect((await runMeter(home, ["unwrap", "--all", "--yes"])).status).toBe(0);
    expect(readFileSync(file, "utf8")).toBe(plain);
  });
});

const hasMounts = has("unshare -m", "a full disk under settings");

test.skipIf(!hasMounts)(
  "a full disk leaves the settings as they are, and nothing beside them",
  async () => {
    const small = join(home.path, "small");
    mkdirSync(small);
    const text = `{"x":"${"y".repeat(9_000)}","mcpServers":{"a":{"command":"x"}}}`;
    const script = `mount -t tmpfs -o size=16k tmpfs ${small} && cp ${write("a.json", text)} ${small}/a.json && "$@"; echo $?; ls -A ${small}; cat ${small}/a.json | sha256sum`;
    const argv = [
      executable(),
      "wrap",
      "--file",
      `${small}/a.json`,
      "--settings-of",
      "cursor",
      "--all",
      "--yes",
    ];
    const { stdout, stderr } = await runBare(["unshare", "-m", "sh", "-c", script, "sh", ...argv], {
      env: home.env,
      cwd: home.path,
    });
    expect(stderr).toContain("no space left on the disk; they are left unchanged");
    expect(stdout.trim().split("\n").slice(-3)).toEqual(["1", "a.json", `${sha256(text)}  -`]);
  },
);
