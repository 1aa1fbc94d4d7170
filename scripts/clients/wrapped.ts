import { mcpRemote } from "#clients/remote-entry.ts";
import { execa } from "execa";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { guardedServer } from "../../test/support/guarded-server.ts";
import { install } from "./play.ts";

/**
 * `bun scripts/clients/wrapped.ts`: lets real clients connect to a server that `mcp-meter wrap` has put behind mcp-meter, and to a remote one that demands a
 * header, by mcp-remote.
 */

const root = join(import.meta.dir, "../..");
const executable = join(root, "dist/mcp-meter");
const server = [process.execPath, join(root, "test/e2e/fixtures/legacy-server.ts")] as const;

type ListingClient = {
  readonly title: string;
  readonly package: string;
  readonly settings: string;
  readonly text: string;
  readonly remoteText: (url: string) => string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly connected: RegExp;
};

const [header, secret] = ["X-Garden", "over the wall"] as const;

const [program, file] = server.map((word) => JSON.stringify(word));

const clients: readonly ListingClient[] = [
  {
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    settings: ".claude.json",
    text: `{"numStartups": 1,\n "mcpServers": {"garden": {"type":"stdio", "command": ${program}, "args": [ ${file} ], "env": {}}}}`,
    remoteText: (url) =>
      `{"numStartups": 1,\n "mcpServers": {"garden": {"type":"http", "url": "${url}", "headers": {"${header}": "${secret}"}}}}`,
    command: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    args: ["mcp", "list"],
    env: { DISABLE_AUTOUPDATER: "1", DISABLE_TELEMETRY: "1", IS_SANDBOX: "1" },
    connected: /garden: .*Connected/,
  },
  {
    title: "Gemini CLI",
    package: "@google/gemini-cli",
    settings: ".gemini/settings.json",
    text: `{ // mine\n  "privacy": { "usageStatisticsEnabled": false },\n  "security": { "folderTrust": { "enabled": false } },\n  "mcpServers": { "garden": { "command": ${program},\n      "args": [${file}] } }\n}\n`,
    remoteText: (url) =>
      `{ // mine\n  "security": { "folderTrust": { "enabled": false } },\n  "mcpServers": { "garden": { "httpUrl": "${url}", "headers": { "${header}": "$GARDEN" } } }\n}\n`,
    command: ".bin/gemini",
    args: ["mcp", "list"],
    env: {
      GEMINI_API_KEY: "not-a-key",
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GARDEN: secret,
    },
    connected: /garden: .*Connected/,
  },
  {
    title: "OpenCode",
    package: "opencode-ai",
    settings: ".config/opencode/opencode.jsonc",
    text: `{\n  "autoupdate": false, // no\n  "mcp": {\n    "garden": { "type": "local", "command": [${program}, ${file}], "enabled": true, },\n  },\n}\n`,
    remoteText: (url) =>
      `{\n  "autoupdate": false, // no\n  "mcp": {\n    "garden": { "type": "remote", "url": "${url}", "headers": { "${header}": "{env:GARDEN}", }, },\n  },\n}\n`,
    command: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    args: ["mcp", "list"],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      GARDEN: secret,
    },
    connected: /garden.*connected/i,
  },
];

process.exitCode = (await listAll()) ? 0 : 1;

async function listAll(): Promise<boolean> {
  let isWell = true;
  for (const client of clients) {
    const folder = mkdtempSync(join(tmpdir(), "mcp-meter-wrapped-"));
    try {
      const lines = await list(client, folder);
      console.log(lines.join("\n"));
      isWell &&= lines.every((line) => !line.startsWith("NOT"));
    } catch (error) {
      console.log(`NOT run: ${client.title}: ${String(error)}`);
      isWell = false;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return isWell;
}

async function list(client: ListingClient, folder: string): Promise<readonly string[]> {
  const installed = join(folder, "installed");
  mkdirSync(installed);
  const version = await install(client.package, "latest", installed);
  const facts = { client, installed, title: `${client.title} ${version}` };
  await using remote = await guardedServer(header, secret);
  const text = client.remoteText(remote.url);
  return [
    ...(await listIn(join(folder, "home"), { ...facts, text: client.text, flags: [] })),
    ...(await listIn(join(folder, "remote home"), { ...facts, text, flags: ["--remote"] })),
  ];
}

type Listing = {
  readonly client: ListingClient;
  readonly installed: string;
  readonly title: string;
  readonly text: string;
  readonly flags: readonly string[];
};

async function listIn(
  home: string,
  { client, installed, title, text, flags }: Listing,
): Promise<readonly string[]> {
  const settings = join(home, client.settings);
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, text);
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...client.env };
  const run = (command: string, args: readonly string[]) =>
    execa(command, args, {
      cwd: home,
      env,
      extendEnv: false,
      reject: false,
      stdin: "ignore",
      timeout: 120_000,
    });
  await run(executable, ["wrap", "--all", "--yes", ...flags]);
  const wrapped = readFileSync(settings, "utf8");
  // A client does not wait until npx has loaded it.
  if (flags.includes("--remote")) await run("npx", ["-y", mcpRemote, "--version"]);
  const { stdout, stderr } = await run(
    join(installed, "node_modules", client.command),
    client.args,
  );
  const isConnected = wrapped !== text && client.connected.test(stdout + stderr);
  const isRewritten = readFileSync(settings, "utf8") !== wrapped;
  await run(executable, ["unwrap", "--all", "--yes"]);
  const after = readFileSync(settings, "utf8");
  const isBack = isRewritten ? !/mcp-(?:meter|remote)/.test(after) : after === text;
  return [
    `${isConnected ? "connected" : "NOT connected"}: ${title}, in its own list, to the wrapped server ${flags.join(" ")}`,
    ...(isConnected ? [] : [stdout, stderr]),
    `${isBack ? "unwrapped" : "NOT unwrapped"}: ${isRewritten ? "the client wrote the file in its own layout" : "the same bytes"}`,
  ];
}
