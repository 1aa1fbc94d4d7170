import type {
  AlertRecord,
  BreachRecord,
  CallRecord,
  CommonMembers,
  DefinitionsRecord,
  EndRecord,
  FaultRecord,
  ProtocolRecord,
  SessionRecord,
} from "#records/record.ts";

export const common: CommonMembers = {
  schema_version: "1.0",
  ts: "2026-09-01T12:00:00.000Z",
  session_id: "session",
  seq: 0,
  server: "garden",
};

export function sessionRecord(changes: Partial<SessionRecord> = {}): SessionRecord {
  return {
    ...common,
    type: "session",
    meter_version: "0.0.0",
    command: "server",
    client_name: "host",
    client_version: "1",
    server_version: "2",
    protocol_version: "2025-11-25",
    era: "legacy",
    profile: "content-first",
    model: null,
    window: 200_000,
    is_estimated: true,
    estimator: "chars3",
    estimation_method: "characters",
    estimation_encoding: "characters/3",
    estimation_error: "a rough rule",
    confidence: "low",
    ...changes,
  };
}

export function callRecord(changes: Partial<CallRecord> = {}): CallRecord {
  const input = changes.input_tokens ?? 10;
  const output = changes.output_tokens ?? 100;
  return {
    ...common,
    type: "call",
    tool: "search",
    method: "tools/call",
    request_id: 1,
    outcome: "ok",
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_bytes: 40,
    output_bytes: 400,
    duration_ms: 12,
    truncated: false,
    messages: 2,
    wire_tokens: output,
    visible_tokens: output,
    duplicate_tokens: 0,
    arguments_sha256: null,
    result_sha256: null,
    blocks: { text: 1, image: 0, audio: 0, resource: 0, resource_link: 0, other: 0 },
    overhead: null,
    risk: "low",
    is_estimated: true,
    estimation_method: "characters",
    estimation_encoding: "characters/3",
    confidence: "low",
    ...changes,
  };
}

export function protocolRecord(changes: Partial<ProtocolRecord> = {}): ProtocolRecord {
  return {
    ...common,
    type: "protocol",
    method: "ping",
    request_id: 1,
    outcome: "ok",
    input_tokens: 1,
    output_tokens: 2,
    total_tokens: 3,
    input_bytes: 10,
    output_bytes: 20,
    duration_ms: 1,
    truncated: false,
    ...changes,
  };
}

export function definitionsRecord(changes: Partial<DefinitionsRecord> = {}): DefinitionsRecord {
  const tools = changes.tools ?? [toolDefinition("search", 100), toolDefinition("fetch", 60)];
  const tokens = tools.reduce((sum, tool) => sum + tool.tokens, 0);
  return {
    ...common,
    type: "definitions",
    is_complete: true,
    tools_total: tools.length,
    tools,
    total_tokens: tokens,
    resident_tokens: tokens,
    is_deferred: false,
    wire_only_tokens: 0,
    instructions_tokens: 0,
    ...changes,
  };
}

export function toolDefinition(name: string, tokens: number): DefinitionsRecord["tools"][number] {
  return {
    name,
    tokens,
    name_tokens: 1,
    description_tokens: tokens - 1,
    schema_tokens: 0,
    wire_only_tokens: 0,
    percent_total: 0,
    sha256: "0".repeat(64),
  };
}

export function alertRecord(changes: Partial<AlertRecord> = {}): AlertRecord {
  return {
    ...common,
    type: "alert",
    alert: "heavy_call",
    tool: "search",
    budget: null,
    limit: 8_000,
    value: 9_000,
    detail: "9,000 tokens",
    ...changes,
  };
}

export function faultRecord(changes: Partial<FaultRecord> = {}): FaultRecord {
  return { ...common, type: "fault", where: "count", what: "RangeError", ...changes };
}

export function breachRecord(changes: Partial<BreachRecord> = {}): BreachRecord {
  return {
    ...common,
    type: "breach",
    budget: "search=2000",
    limit: 2_000,
    unit: "tokens",
    per: "call",
    spent: 2_500,
    tokens: 2_500,
    action: "error",
    is_enforced: true,
    did_run: true,
    tool: "search",
    request_id: 1,
    ...changes,
  };
}

export function endRecord(changes: Partial<EndRecord> = {}): EndRecord {
  return {
    ...common,
    type: "end",
    exit_code: 0,
    signal: null,
    duration_ms: 1_000,
    client_bytes: 100,
    server_bytes: 1_000,
    calls: 1,
    total_tokens: 110,
    notifications: [],
    opaque_client_lines: 0,
    opaque_server_lines: 0,
    unknown_answers: 0,
    late_answers: 0,
    dropped_records: 0,
    observer_faults: 0,
    budgets: [],
    ...changes,
  };
}

export const everyRecord = [
  sessionRecord(),
  definitionsRecord(),
  callRecord(),
  protocolRecord(),
  alertRecord(),
  breachRecord(),
  faultRecord(),
  endRecord(),
];
