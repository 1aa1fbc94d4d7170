import type {
  ImportedCallRecord,
  ImportedRecord,
  ToolListRecord,
  TurnRecord,
} from "#records/record.ts";

const common = { schema_version: "1.1", conversation_id: "conversation" } as const;

export const noon = Date.UTC(2026, 2, 14, 12);

export const conversation: ImportedRecord = {
  type: "conversation",
  ...common,
  ts: new Date(noon).toISOString(),
  session_id: "conversation",
  seq: 0,
  client: "claude-code",
  client_version: null,
  parent: null,
  kind: "main",
  project: null,
  is_approximate: false,
};

export function turn(index: number, rest: Partial<TurnRecord> = {}): TurnRecord {
  return {
    type: "turn",
    ...common,
    ts: new Date(noon + index * 1_000).toISOString(),
    session_id: "conversation",
    seq: index + 1,
    index,
    model: "claude-opus-4-8",
    uncached_tokens: 0,
    cache_read_tokens: 0,
    cache_write_5m_tokens: 0,
    cache_write_1h_tokens: 0,
    output_tokens: 0,
    reasoning_tokens: 0,
    native_cost_usd: null,
    after_boundary: false,
    is_estimated: false,
    ...rest,
  };
}

export function call(seq: number, rest: Partial<ImportedCallRecord> = {}): ImportedCallRecord {
  return {
    type: "imported_call",
    ...common,
    ts: new Date(noon + 500).toISOString(),
    session_id: "session",
    seq,
    source: "log",
    client: "claude-code",
    server: "docs",
    tool: "search",
    method: "tools/call",
    outcome: "ok",
    call_id_sha256: `id-${seq}`,
    turn: 0,
    read_by: 1,
    model: "claude-opus-4-8",
    visible: "as_logged",
    arguments_sha256: `hash-${seq}`,
    arguments_bytes: 20,
    visible_bytes: 40_000,
    images: 0,
    input_tokens: 10,
    output_tokens: 1_000,
    duration_ms: null,
    is_estimated: true,
    estimator: "claude",
    estimation_method: "bpe-scaled",
    estimation_encoding: "o200k_base*1.55",
    estimation_error: "±10 %",
    confidence: "medium",
    ...rest,
  };
}

// Three turns: the second caches an answer of 1,000 tokens, and the third reads it from the cache.
export const threeTurns: readonly TurnRecord[] = [
  turn(0, { uncached_tokens: 5_000, output_tokens: 100 }),
  turn(1, { cache_read_tokens: 5_000, cache_write_5m_tokens: 1_100 }),
  turn(2, { cache_read_tokens: 6_100 }),
];

export function toolList(seq: number, rest: Partial<ToolListRecord> = {}): ToolListRecord {
  return {
    type: "tool_list",
    ...common,
    ts: new Date(noon).toISOString(),
    session_id: "session",
    seq,
    source: "log",
    client: "claude-code",
    server: "docs",
    tools: ["search", "fetch"],
    turn: 0,
    until_turn: null,
    model: "claude-opus-4-8",
    tokens: 20,
    is_estimated: true,
    estimator: "claude",
    estimation_method: "bpe-scaled",
    estimation_encoding: "o200k_base*1.55",
    estimation_error: "±10 %",
    confidence: "medium",
    ...rest,
  };
}
