/** `bun scripts/clients/wrapped.ts`: lets real clients connect to a server that `mcp-meter wrap` has put behind mcp-meter. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
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
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The line of its list that says that the server "garden" is connected. */
  readonly connected: RegExp;
};

const [program, file] = server.map((word) => JSON.stringify(word));

const clients: readonly ListingClient[] = [
  {
    title: "Claude Code",
    package: "@anthropic-ai/claude-code",
    settings: ".claude.json",
    text: `{"numStartups": 1,\n "mcpServers": {"garden": {"type":"stdio", "command": ${program}, "args": [ ${file} ], "env": {}}}}`,
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
    command: ".bin/gemini",
    args: ["mcp", "list"],
    env: {
      GEMINI_API_KEY: "not-a-key",
      GEMINI_CLI_NO_RELAUNCH: "true",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    },
    connected: /garden: .*Connected/,
  },
  {
    title: "OpenCode",
    package: "opencode-ai",
    settings: ".config/opencode/opencode.jsonc",
    text: `{\n  "autoupdate": false, // no\n  "mcp": {\n    "garden": { "type": "local", "command": [${program}, ${file}], "enabled": true, },\n  },\n}\n`,
    command: `opencode-${process.platform}-${process.arch}/bin/opencode`,
    args: ["mcp", "list"],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
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
  const [installed, home] = [join(folder, "installed"), join(folder, "home")];
  const settings = join(home, client.settings);
  mkdirSync(installed);
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, client.text);
  const version = await install(client.package, "latest", installed);
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
  await run(executable, ["wrap", "--all", "--yes"]);
  const wrapped = readFileSync(settings, "utf8");
  const { stdout, stderr } = await run(
    join(installed, "node_modules", client.command),
    client.args,
  );
  const isConnected = client.connected.test(stdout + stderr);
  const isRewritten = readFileSync(settings, "utf8") !== wrapped;
  await run(executable, ["unwrap", "--all", "--yes"]);
  const after = readFileSync(settings, "utf8");
  const isBack = isRewritten ? !after.includes("mcp-meter") : after === client.text;
  return [
    `${isConnected ? "connected" : "NOT connected"}: ${client.title} ${version}, in its own list, to the wrapped server`,
    ...(isConnected ? [] : [stdout, stderr]),
    `${isBack ? "unwrapped" : "NOT unwrapped"}: ${isRewritten ? "the client wrote the file in its own layout" : "the same bytes"}`,
  ];
}
