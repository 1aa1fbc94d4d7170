import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  CallRecord,
  Common,
  DefinitionsRecord,
  EndRecord,
  SessionRecord,
} from "#records/record.ts";

const servers = ["filesystem", "github", "memory", "postgres", "browser", "search"];
const toolsPerServer = 9;
const callsPerSession = 330;
/** Each call is followed by a checkpoint when it comes a second after the one before, as a third of them do. */
const callsPerCheckpoint = 3;
const firstMs = Date.UTC(2026, 9, 24);
const daysCovered = 30;
const dayMs = 86_400_000;

const estimation = {
  estimation_method: "bpe-scaled",
  estimation_encoding: "o200k_base*1.55, JSON *1.8",
  confidence: "medium",
} as const;

/** Files of records, one a session, and their bytes. */
export type MadeRecords = { readonly folder: string; readonly bytes: number };

/** Writes the records of sessions over thirty days: 368 kB each, of 330 calls. Always the same ones. */
export function makeRecords(folder: string, sessions: number): MadeRecords {
  let bytes = 0;
  for (let at = 0; at < sessions; at += 1) {
    const lines = sessionLines(at, sessions);
    const day = join(folder, new Date(startOf(at, sessions)).toISOString().slice(0, 10));
    mkdirSync(day, { recursive: true });
    const text = `${lines.map((record) => JSON.stringify(record)).join("\n")}\n`;
    writeFileSync(join(day, `${at}.ndjson`), text);
    bytes += text.length;
  }
  return { folder, bytes };
}

function startOf(at: number, sessions: number): number {
  return firstMs + Math.floor((at * daysCovered * dayMs) / sessions);
}

type MadeRecord = SessionRecord | DefinitionsRecord | CallRecord | EndRecord;

function sessionLines(at: number, sessions: number): MadeRecord[] {
  const beganMs = startOf(at, sessions);
  let seq = 0;
  const common = (ms: number): Common => ({
    schema_version: "1.0",
    ts: new Date(beganMs + ms).toISOString(),
    session_id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
    seq: seq++,
    server: servers[at % servers.length] ?? "",
  });
  const lines: MadeRecord[] = [sessionRecord(common(0)), definitionsRecord(common(1))];
  for (let call = 0; call < callsPerSession; call += 1) {
    lines.push(callRecord(common(call * 2000), at, call));
    if (call % callsPerCheckpoint === 0) lines.push(endRecord(common(call * 2000 + 1), call + 1));
  }
  return lines;
}

function sessionRecord(common: Common): SessionRecord {
  return {
    ...common,
    type: "session",
    meter_version: "0.1.0",
    command: "node",
    client_name: "claude-code",
    client_version: "2.1.330",
    server_version: "1.0.0",
    protocol_version: "2025-11-25",
    era: "legacy",
    profile: "content-first",
    model: null,
    window: 200_000,
    is_estimated: true,
    estimator: "claude",
    ...estimation,
    estimation_error: "within 20 % of Anthropic's counter",
  };
}

function definitionsRecord(common: Common): DefinitionsRecord {
  const tools = Array.from({ length: toolsPerServer }, (_, tool) => ({
    name: `read_file_${tool}`,
    tokens: 300,
    name_tokens: 5,
    description_tokens: 95,
    schema_tokens: 200,
    wire_only_tokens: 0,
    percent_total: 11.11,
    sha256: sha256(`definition ${tool}`),
    narrowing_parameters: ["head", "tail"],
  }));
  return {
    ...common,
    type: "definitions",
    is_complete: true,
    list_state: "complete",
    tools_total: toolsPerServer,
    tools,
    total_tokens: 300 * toolsPerServer,
    resident_tokens: 300 * toolsPerServer,
    is_deferred: false,
    wire_only_tokens: 0,
    instructions_tokens: 0,
  };
}

function callRecord(common: Common, session: number, call: number): CallRecord {
  const [input, output] = [40 + (call % toolsPerServer), 1_200 + call];
  return {
    ...common,
    type: "call",
    tool: `read_file_${call % toolsPerServer}`,
    method: "tools/call",
    request_id: call + 2,
    outcome: call % 50 === 7 ? "tool_error" : "ok",
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_bytes: 150,
    output_bytes: 5_000 + call,
    duration_ms: 12.345,
    truncated: false,
    messages: 2,
    wire_tokens: output + 100,
    visible_tokens: output,
    duplicate_tokens: 0,
    // A tenth of the calls of a session are repeats.
    arguments_sha256: sha256(`${session} ${call % 297}`),
    result_sha256: sha256(`${session} ${call} result`),
    blocks: { text: 1, image: 0, audio: 0, resource: 0, resource_link: 0, other: 0 },
    overhead: {
      user_only_tokens: 0,
      preamble_tokens: 0,
      json_tokens: 0,
      minified_tokens: 0,
      structure_ratio: 0,
    },
    risk: "low",
    is_estimated: true,
    ...estimation,
  };
}

function endRecord(common: Common, calls: number): EndRecord {
  return {
    ...common,
    type: "end",
    exit_code: null,
    signal: null,
    duration_ms: calls * 2_000,
    client_bytes: calls * 150,
    server_bytes: calls * 5_000,
    calls,
    total_tokens: calls * 1_400,
    notifications: [{ method: "notifications/initialized", from: "client", count: 1, bytes: 60 }],
    opaque_client_lines: 0,
    opaque_server_lines: 0,
    unknown_answers: 0,
    late_answers: 0,
    dropped_records: 0,
    observer_faults: 0,
    budgets: [],
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
