import { findOptionSet } from "../../../scripts/fuzz/option-sets.ts";
import type { Transcript } from "../../../scripts/fuzz/transcript.ts";

/** A line of a transcript, with the side that wrote it. */
export type Said = readonly [by: "client" | "server", line: string];

/** What differs from a session that kept every promise. */
type Changes = Partial<Omit<Transcript, "set">> & { readonly set?: string };

/** A session with these lines that was observed to keep every promise, except for `changes`. */
export function madeTranscript(said: readonly Said[], changes: Changes = {}): Transcript {
  const bytes = (by: "client" | "server"): Buffer =>
    Buffer.from(said.flatMap(([speaker, line]) => (speaker === by ? [`${line}\n`] : [])).join(""));
  const { set = "plain", ...rest } = changes;
  return {
    set: findOptionSet(set),
    ending: { kind: "eof", code: 0 },
    clientSent: bytes("client"),
    serverGot: bytes("client"),
    serverSent: bytes("server"),
    clientGot: bytes("server"),
    atClient: said.map(([by, line]) => ({ by, bytes: Buffer.from(`${line}\n`) })),
    didServerEnd: true,
    exit: { code: 0, signal: null },
    stderr: "",
    records: madeRecords([]),
    summary: madeSummary(0, 0),
    files: ["summary.json", "state/mcp-meter/sessions/2026-01-01/a.ndjson"],
    leftovers: [],
    stalled: undefined,
    startedDay: "2026-01-01",
    endedDay: "2026-01-01",
    ...rest,
  };
}

/** The record file of a session with calls of these tokens. */
export function madeRecords(tokens: readonly number[], end: object = {}): string {
  const total = tokens.reduce((sum, one) => sum + one, 0);
  const calls = tokens.map((one) => ({ type: "call", total_tokens: one }));
  const last = {
    calls: tokens.length,
    total_tokens: total,
    observer_faults: 0,
    dropped_records: 0,
  };
  const bodies: readonly object[] = [
    { type: "session" },
    ...calls,
    { type: "end", ...last, ...end },
  ];
  return bodies.map((body, seq) => `${JSON.stringify({ ...body, seq })}\n`).join("");
}

/** The summary of a session with one tool. */
export function madeSummary(calls: number, tokens: number): string {
  const row = { calls, total_tokens: tokens };
  return JSON.stringify({ tools: [row], total: row });
}

/** A call of a tool. */
export function madeCall(id: number, args: object = {}, tool = "alpha"): Said {
  const params = { name: tool, arguments: args };
  return ["client", JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })];
}

/** The answer to a call: one text of that many characters. */
export function madeAnswer(id: number | string, length: number): Said {
  const result = { content: [{ type: "text", text: "x".repeat(length) }] };
  return ["server", JSON.stringify({ jsonrpc: "2.0", id, result })];
}
