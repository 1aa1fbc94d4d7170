/** `bun histories.ts records|dense|small FOLDER SESSIONS` writes the files that `report` and `import` read, always the same. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommonMembers } from "#records/record.ts";
import {
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
  toolDefinition,
} from "../../../test/support/made-records.ts";

const servers = ["filesystem", "github", "memory", "postgres", "browser", "search"];
const toolsPerServer = 9;
const callsPerSession = 330;
/** A call that comes a second after the one before, as a third of them do, is followed by a checkpoint. */
const callsPerCheckpoint = 3;
const firstMs = Date.UTC(2026, 9, 24);
const daysCovered = 30;
const dayMs = 86_400_000;
const projects = 20;

const overhead = {
  user_only_tokens: 0,
  preamble_tokens: 0,
  json_tokens: 0,
  minified_tokens: 0,
  structure_ratio: 0,
};

function writeRecords(folder: string, sessions: number): number {
  let bytes = 0;
  for (let session = 0; session < sessions; session += 1) {
    const beganMs = firstMs + Math.floor((session * daysCovered * dayMs) / sessions);
    const records = makeSession(session, beganMs);
    const lines = records.map((record) => JSON.stringify(record));
    const day = join(folder, new Date(beganMs).toISOString().slice(0, 10));
    bytes += writeLines(join(day, `${session}.ndjson`), lines);
  }
  return bytes;
}

function makeSession(session: number, beganMs: number): readonly object[] {
  const names = Array.from({ length: toolsPerServer }, (_, tool) => `read_file_${tool}`);
  const base: Omit<CommonMembers, "seq" | "ts"> = {
    schema_version: "1.0",
    session_id: `00000000-0000-4000-8000-${String(session).padStart(12, "0")}`,
    server: servers[session % servers.length] ?? "",
  };
  const at = (ms: number) => ({ ...base, ts: new Date(beganMs + ms).toISOString() });
  const tools = names.map((name) => toolDefinition(name, 300));
  const records: object[] = [
    sessionRecord({ ...at(0), client_name: "claude-code" }),
    definitionsRecord({ ...at(1), tools }),
  ];
  for (let call = 0; call < callsPerSession; call += 1) {
    records.push(
      callRecord({
        ...at(call * 2000),
        tool: names[call % toolsPerServer] ?? "",
        request_id: call + 2,
        outcome: call % 50 === 7 ? "tool_error" : "ok",
        input_tokens: 40 + (call % toolsPerServer),
        output_tokens: 1_200 + call,
        output_bytes: 5_000 + call,
        overhead,
        // A tenth of the calls of a session are repeats.
        arguments_sha256: hashText(`${session} ${call % 297}`),
        result_sha256: hashText(`${session} ${call} result`),
      }),
    );
    if (call % callsPerCheckpoint === 0) {
      const sums = { calls: call + 1, total_tokens: (call + 1) * 1_400 };
      records.push(endRecord({ ...at(call * 2000 + 1), ...sums, exit_code: null }));
    }
  }
  return records.map((record, seq) => ({ ...record, seq }));
}

function hashText(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

type LogShape = {
  readonly turns: number;
  /** One turn in this many calls a tool that belongs to no server. */
  readonly othersEvery: number;
  readonly answerCharacters: number;
};

/** Few long sessions full of MCP calls, and many short ones with a few. */
export const logShapes: { readonly [kind in "dense" | "small"]: LogShape } = {
  dense: { turns: 1_500, othersEvery: 8, answerCharacters: 1_500 },
  small: { turns: 12, othersEvery: 2, answerCharacters: 1_200 },
};

function makeUsage(turn: number) {
  return {
    input_tokens: 3,
    cache_creation_input_tokens: 900 + (turn % 77),
    cache_read_input_tokens: 50_000 + (turn % 999),
    output_tokens: 120 + (turn % 31),
  };
}

export function countInput(turn: number): number {
  const { output_tokens: _output, ...input } = makeUsage(turn);
  return Object.values(input).reduce((sum, tokens) => sum + tokens, 0);
}

const pages = join(import.meta.dir, "../../../docs");

/** Prose of this project, which costs a tokenizer more than one repeated sentence. */
function readProse(): string {
  const names = readdirSync(pages).filter((name) => name.endsWith(".md"));
  return names
    .toSorted()
    .map((name) => readFileSync(join(pages, name), "utf8"))
    .join("\n");
}

function writeLogs(home: string, sessions: number, shape: LogShape): number {
  const prose = readProse();
  let bytes = 0;
  for (let session = 0; session < sessions; session += 1) {
    const id = `${String(session).padStart(8, "0")}-aaaa-4aaa-8aaa-000000000000`;
    const turns = Array.from({ length: shape.turns }, (_, index) =>
      makeTurn(id, session * shape.turns + index, shape, prose),
    );
    const lines = turns.flat().map((line) => JSON.stringify(line));
    const folder = join(home, ".claude", "projects", `-work-p${session % projects}`);
    bytes += writeLines(join(folder, `${id}.jsonl`), lines);
  }
  return bytes;
}

function makeTurn(
  sessionId: string,
  turn: number,
  { othersEvery, answerCharacters }: LogShape,
  prose: string,
): readonly [object, object] {
  const base = {
    parentUuid: `parent-${turn}`,
    isSidechain: false,
    userType: "external",
    cwd: "/home/user/p",
    sessionId,
    version: "2.1.330",
    gitBranch: "main",
  };
  const at = (ms: number) => new Date(firstMs + turn * 2_000 + ms).toISOString();
  const from = (turn * 7_919) % (prose.length - 2 * answerCharacters);
  const text = prose.slice(from, from + 300 + (turn % answerCharacters));
  const id = `toolu_${turn}`;
  const name =
    turn % othersEvery === 0 ? "Bash" : `mcp__docs__${["search", "read", "list"][turn % 3] ?? ""}`;
  const use = { type: "tool_use", id, name, input: { query: prose.slice(from, from + 60) } };
  return [
    { ...base, ...makeCall(turn, use), type: "assistant", uuid: `a${turn}`, timestamp: at(0) },
    { ...base, ...makeAnswer(id, text), uuid: `u${turn}`, timestamp: at(900) },
  ];
}

function makeCall(turn: number, use: object) {
  const usage = makeUsage(turn);
  const facts = { id: `msg_${turn}`, model: "claude-opus-4-6", role: "assistant" };
  return { message: { ...facts, content: [use], usage }, requestId: `req_${turn}` };
}

function makeAnswer(id: string, text: string) {
  const content = [{ type: "text", text }];
  const message = { role: "user", content: [{ tool_use_id: id, type: "tool_result", content }] };
  return { type: "user", message, toolUseResult: content };
}

function writeLines(path: string, lines: readonly string[]): number {
  const text = `${lines.join("\n")}\n`;
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text);
  return text.length;
}

if (import.meta.main) {
  const [kind = "", folder = ".", sessions = "1"] = process.argv.slice(2);
  const shape = kind === "dense" || kind === "small" ? logShapes[kind] : undefined;
  const count = Number(sessions);
  console.log(shape ? writeLogs(folder, count, shape) : writeRecords(folder, count));
}
