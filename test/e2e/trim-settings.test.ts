import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clients } from "#clients/index.ts";
import { findServers } from "#clients/configured-entries.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import { openV1 } from "../support/client-v1.ts";
import { everything } from "../support/servers.ts";
import { eachHome } from "./each-home.ts";
import { runMeter } from "./run.ts";

const home = eachHome();

const settings = (): string => join(home.path, ".gemini/settings.json");

function findCommand(): readonly [string, ...string[]] {
  const read = readClientFile(settings(), "json");
  if (read === undefined || "fault" in read) throw new Error("no settings");
  const [server] = findServers(clients["gemini-cli"], read.value);
  const [first, ...rest] = server?.command ?? [];
  if (first === undefined) throw new Error("no command");
  return [first, ...rest];
}

/** A session of the client with the server of its settings: it lists the tools, and calls some. */
async function holdSession(...calls: readonly string[]): Promise<readonly string[]> {
  const env = { ...home.env, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" };
  const name = "gemini-cli-mcp-client";
  const connection = await openV1({ name, argv: findCommand(), env });
  const { tools } = await connection.listTools();
  for (const tool of calls) {
    const args = { message: "hello", a: 1, b: 2 };
    await connection.callTool({ name: tool, arguments: args }).catch((error: unknown) => {
      expect(String(error)).toContain(`-32602: Unknown tool: ${tool}`);
    });
  }
  await connection.close();
  return tools.map((tool) => tool.name);
}

async function trim(...words: readonly string[]) {
  const { status, stdout } = await runMeter(home, ["trim", ...words, "--json"]);
  expect(status).toBe(0);
  return JSON.parse(stdout);
}

test("tools that no session called are hidden, missed, and shown again (slow)", async () => {
  const [command, ...args] = everything().argv;
  const text = JSON.stringify({ mcpServers: { everything: { command, args } } }, null, "\t");
  mkdirSync(join(home.path, ".gemini"));
  writeFileSync(settings(), text);
  await runMeter(home, ["wrap", "--all", "--yes"]);
  const wrapped = readFileSync(settings(), "utf8");
  const all = await holdSession("echo");
  for (let sessions = 1; sessions < 3; sessions += 1) await holdSession();
  const [advised] = (await trim()).servers;
  expect(advised).toMatchObject({ state: "proposed", sessions: 3, listed: all.length });
  expect(new Set(["echo", ...advised.tools])).toEqual(new Set(all));
  await trim("--apply", "--yes");
  expect(await holdSession("get-sum")).toEqual(["echo"]);
  const [after] = (await trim()).servers;
  expect(after).toMatchObject({
    state: "kept",
    listed: 1,
    wanted: [{ tool: "get-sum", calls: 1, is_hidden_by_trim: true }],
  });
  expect(after.tokens_before).toBe(advised.tokens_after);
  await trim("everything", "--undo", "--tool", "get-sum", "--yes");
  expect(new Set(await holdSession("get-sum"))).toEqual(new Set(["echo", "get-sum"]));
  await trim("--undo", "--yes");
  expect(readFileSync(settings(), "utf8")).toBe(wrapped);
  expect(await holdSession()).toEqual(all);
  await trim("--apply", "--yes");
  await runMeter(home, ["unwrap", "--all", "--yes"]);
  expect(readFileSync(settings(), "utf8")).toBe(text);
});
