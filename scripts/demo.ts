// mcp-meter at work: a real client calls a real server through the executable.
// Ends with 0 when the session was metered and every record is valid. Its argument is the record file.
import { createReadStream, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { execa } from "execa";
import Ajv2020 from "ajv/dist/2020";
import ndjson from "ndjson";
import schema from "../src/records/record.schema.json" with { type: "json" };

const root = join(import.meta.dir, "..");
const executable = join(root, "dist", "mcp-meter");
const [recordFile = join(root, "dist", "demo.ndjson")] = process.argv.slice(2);
const everything = join(root, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");
const node = Bun.which("node") ?? process.execPath;

const say = (line: string): void => console.log(`demo: ${line}`);

type DemoCall = {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly shows: string;
};

const demoCalls: readonly DemoCall[] = [
  { tool: "echo", args: { message: "Hello, tokens" }, shows: "plain text" },
  {
    tool: "get-structured-content",
    args: { location: "New York" },
    shows: "the same answer twice, as text and as data",
  },
  { tool: "get-tiny-image", args: {}, shows: "an image, priced by its size" },
  { tool: "get-resource-links", args: { count: 5 }, shows: "links to resources" },
  { tool: "get-sum", args: { a: "two", b: 3 }, shows: "an error: the arguments are wrong" },
  {
    tool: "trigger-long-running-operation",
    args: { duration: 1, steps: 4 },
    shows: "a second of work",
  },
];

async function connect(options: readonly string[]): Promise<Client> {
  const args = [...options, "--", node, everything, "stdio"];
  const env = { ...getDefaultEnvironment(), TERM: process.env["TERM"] ?? "dumb" };
  const client = new Client({ name: "mcp-meter-demo", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: executable, args, env }));
  return client;
}

async function runSession(): Promise<readonly string[]> {
  const shown = ["node", relative(root, everything), "stdio"].join(" ");
  say(`starting ${relative(root, executable)} -- ${shown}`);
  const client = await connect(["--log", recordFile]);
  const tools = await callTools(client);
  say("closing, and here is what it cost:");
  await client.close();
  return tools;
}

async function runTrimmed(tools: readonly string[]): Promise<void> {
  const called = new Set(demoCalls.map(({ tool }) => tool));
  const hidden = tools.filter((tool) => !called.has(tool));
  const trimmedFile = join(root, "dist", "demo-trimmed.ndjson");
  rmSync(trimmedFile, { force: true });
  const hide = hidden.flatMap((tool) => ["--hide", tool]);
  const client = await connect(["--log", trimmedFile, "--summary", "off", ...hide]);
  const { tools: shown } = await client.listTools();
  await client.close();
  for await (const record of createReadStream(trimmedFile).pipe(ndjson.parse())) {
    if (record.type !== "definitions") continue;
    const sizes = `~${record.untrimmed_tokens} tokens of definitions become ~${record.total_tokens}`;
    say(
      `with --hide for the ${hidden.length} tools that were not called: ${sizes}, for ${shown.length} tools`,
    );
  }
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

function describeResult({ content, isError }: CallToolResult): string {
  const kinds = content.map(({ type }) => type).join(", ");
  return isError ? `error (${kinds})` : kinds;
}

async function callTools(client: Client): Promise<readonly string[]> {
  const { name = "the server", version = "" } = client.getServerVersion() ?? {};
  say(`connected to ${name} ${version}`);
  const { tools } = await client.listTools();
  say(`it offers ${tools.length} tools`);
  for (const { tool, args, shows } of demoCalls) {
    const steps: number[] = [];
    const onprogress = ({ progress }: { readonly progress: number }) => void steps.push(progress);
    const result = await client.callTool({ name: tool, arguments: args }, { onprogress });
    const progress = steps.length > 0 ? `, progress reported ${steps.length} times` : "";
    say(`called ${tool} – ${shows}: ${describeResult(result)}${progress}`);
  }
  return tools.map(({ name: tool }) => tool);
}

async function checkRecords(
  file: string,
): Promise<{ readonly records: number; readonly valid: number }> {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  let [records, valid] = [0, 0];
  for await (const record of createReadStream(file).pipe(ndjson.parse())) {
    records += 1;
    if (validate(record)) valid += 1;
  }
  return { records, valid };
}

await execa(process.execPath, ["scripts/build.ts"], { cwd: root, stdio: "inherit" });
await readLogs();
rmSync(recordFile, { force: true });
await runTrimmed(await runSession());
const checked = await checkRecords(recordFile);
say(`${checked.valid} of ${checked.records} records in ${relative(root, recordFile)} are valid`);
process.exit(checked.records > 0 && checked.valid === checked.records ? 0 : 1);
