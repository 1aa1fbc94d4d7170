// mcp-meter at work: a real client calls a real server through the executable.
// Ends with 0 when the session was metered and every record is valid. Its argument is the record file.
import { rmSync } from "node:fs";
import { join, relative } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { execa } from "execa";
import { checkRecords } from "./demo/records.ts";
import { tour } from "./demo/tour.ts";

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", "mcp-meter");
const [records = join(root, "dist", "demo.ndjson")] = process.argv.slice(2);
const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const node = Bun.which("node") ?? process.execPath;

const say = (line: string): void => console.log(`demo: ${line}`);

async function build(): Promise<void> {
  await execa(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "inherit" });
}

async function runSession(): Promise<void> {
  const args = ["--log", records, "--", node, everything, "stdio"];
  const shown = ["node", relative(root, everything), "stdio"].join(" ");
  say(`starting ${relative(root, executable)} -- ${shown}`);
  const env = { ...getDefaultEnvironment(), TERM: process.env["TERM"] ?? "dumb" };
  const client = new Client({ name: "mcp-meter-demo", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: executable, args, env }));
  await tour(client, say);
  say("closing, and here is what it cost:");
  await client.close();
}

async function readLogs(): Promise<void> {
  const home = join(root, "test/fixtures/logs/claude-code");
  const state = join(root, "dist", "demo-state");
  say("before any server is wrapped, the logs of an agent say what its servers cost:");
  say(`mcp-meter import --from ${relative(root, home)}`);
  const env = { ...getDefaultEnvironment(), XDG_STATE_HOME: state };
  const args = ["import", "claude-code", "--from", home, "--log", "off"];
  await execa(executable, args, { env, extendEnv: false, stdio: "inherit" });
  rmSync(state, { recursive: true, force: true });
}

await build();
await readLogs();
rmSync(records, { force: true });
await runSession();
const checked = await checkRecords(records);
say(`${checked.valid} of ${checked.records} records in ${relative(root, records)} are valid`);
process.exit(checked.records > 0 && checked.valid === checked.records ? 0 : 1);
