/** `bun log-history.ts HOME SESSIONS`: writes logs of Claude Code, for benchmarks. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const turnsPerSession = 200;
const projects = 20;
const firstMs = Date.UTC(2026, 9, 24);
const text =
  "The limiter counts requests per minute and answers with 429 beyond the limit. ".repeat(200);

/** A home folder with logs, and their bytes. */
export type MadeHistory = { readonly home: string; readonly bytes: number };

/**
 * Writes sessions of Claude Code: 3.5 MB each, of 200 requests with a call and its answer, two of three of them a server's.
 * Always the same ones.
 */
export function makeHistory(home: string, sessions: number): MadeHistory {
  let bytes = 0;
  for (let at = 0; at < sessions; at += 1) {
    const folder = join(home, ".claude", "projects", `-work-p${at % projects}`);
    mkdirSync(folder, { recursive: true });
    const id = `${String(at).padStart(8, "0")}-aaaa-4aaa-8aaa-000000000000`;
    const turns = Array.from({ length: turnsPerSession }, (_, index) => linesOf(id, at, index));
    const lines = `${turns.flat().join("\n")}\n`;
    writeFileSync(join(folder, `${id}.jsonl`), lines);
    bytes += lines.length;
  }
  return { home, bytes };
}

function linesOf(session: string, at: number, index: number): readonly [string, string] {
  const turn = at * turnsPerSession + index;
  const base = {
    parentUuid: `parent-${turn}`,
    cwd: "/work/p",
    sessionId: session,
    version: "2.1.330",
    gitBranch: "main",
    userType: "external",
    isSidechain: false,
    timestamp: new Date(firstMs + turn * 1000).toISOString(),
  };
  const part = text.slice(0, 1000 + ((turn * 7919) % 9000));
  return [asking(base, turn, part), answering(base, turn, part)];
}

function asking(base: object, turn: number, part: string): string {
  const name = turn % 3 === 0 ? "Bash" : "mcp__docs__search";
  const use = { type: "tool_use", id: `toolu_${turn}`, name, input: { query: `q${turn}` } };
  const usage = {
    input_tokens: 3,
    cache_read_input_tokens: 50_000,
    cache_creation_input_tokens: 900,
    output_tokens: 120,
  };
  const message = {
    id: `msg_${turn}`,
    model: "claude-opus-4-6",
    role: "assistant",
    content: [{ type: "text", text: part }, use],
    usage,
  };
  const line = { ...base, type: "assistant", uuid: `a${turn}`, requestId: `req_${turn}`, message };
  return JSON.stringify(line);
}

function answering(base: object, turn: number, part: string): string {
  const content = [{ type: "text", text: `${part}${turn}` }];
  const result = { type: "tool_result", tool_use_id: `toolu_${turn}`, content };
  const message = { role: "user", content: [result] };
  const line = { ...base, type: "user", uuid: `u${turn}`, message, toolUseResult: { out: part } };
  return JSON.stringify(line);
}

if (import.meta.main) {
  const [home = ".", sessions = "1"] = process.argv.slice(2);
  console.log(JSON.stringify(makeHistory(home, Number(sessions))));
}
