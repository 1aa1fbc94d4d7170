/**
 * `bun scripts/clients/wrapped.ts`: lets real clients connect to a server that `mcp-meter wrap` has put behind mcp-meter, and to a remote one that demands a
 * header, by mcp-remote and by an address of `serve`.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { mcpRemote } from "#clients/remote-entry.ts";
import { guardedServer } from "../../test/support/guarded-server.ts";
import { install } from "./install.ts";

const root = join(import.meta.dir, "../..");
const executable = join(root, "dist/mcp-meter");
const server = [process.execPath, join(root, "test/e2e/fixtures/legacy-server.ts")] as const;

/** A client that lists its servers and connects to each. */
type ListingClient = {
  readonly title: string;
  readonly package: string;
  readonly settings: string;
  /** Its settings, as a person writes them. */
  readonly text: string;
  /** The same with a remote server. */
  readonly remoteText: (url: string) => string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The line of its list that says that the server "garden" is connected. */
  readonly connected: RegExp;
};

/** The header that the remote server demands. */
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
    ...(await listIn(join(folder, "served home"), { ...facts, text, flags: ["--remote=serve"] })),
  ];
}

/** A client with its settings, and the options by which they are wrapped. */
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
  const report = await run(executable, ["wrap", "--all", "--yes", "--json", ...flags]);
  const wrapped = readFileSync(settings, "utf8");
  // A client does not wait until npx has loaded it.
  if (flags.includes("--remote")) await run("npx", ["-y", mcpRemote, "--version"]);
  const endServing = await servingFor(report.stdout, env);
  const { stdout, stderr } = await run(
    join(installed, "node_modules", client.command),
    client.args,
  );
  await endServing();
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

/** Runs the command that a wrapped server needs, if it needs one; the function ends it. */
async function servingFor(
  report: string,
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const words: readonly string[] = JSON.parse(report).servers[0].serve ?? [];
  const [command, ...args] = words;
  const child = command === undefined ? undefined : execa(command, args, { env, reject: false });
  // It prints its address when it listens.
  if (child) await child[Symbol.asyncIterator]().next();
  return async () => {
    child?.kill("SIGTERM");
    await child;
  };
}
