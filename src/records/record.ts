import type { DefinitionsCost, ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { Confidence, EstimationMethod } from "#tokens/cost/estimator.ts";
import type { BlockCounts } from "#tokens/cost/bill.ts";
import type { Overhead } from "#tokens/cost/overhead/overhead.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import type { DataShape } from "#tokens/cost/methods.ts";
import type { ListState } from "#tokens/cost/tool-list.ts";

// See docs/records.md and record.schema.json. Names, sizes, counts and hashes, never a payload.
export type MeterRecord =
  | SessionRecord
  | DefinitionsRecord
  | CallRecord
  | ProtocolRecord
  | BreachRecord
  | AlertRecord
  | FaultRecord
  | EndRecord;

export const schemaVersion = "1.0";

export type Common = {
  readonly schema_version: typeof schemaVersion;
  readonly ts: string;
  readonly session_id: string;
  readonly seq: number;
  readonly server: string;
};

export type SessionRecord = Common & {
  readonly type: "session";
  readonly meter_version: string;
  readonly command: string;
  readonly transport?: "http";
  readonly machine?: string;
  readonly client_session_id_sha256?: string;
  readonly client_name: string | null;
  readonly client_version: string | null;
  readonly server_version: string | null;
  readonly protocol_version: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly profile: string;
  readonly model: string | null;
  readonly window: number;
} & Estimated;

export type Estimated = {
  readonly is_estimated: boolean;
  readonly estimator: string;
  readonly estimation_method: EstimationMethod;
  readonly estimation_encoding: string;
  readonly estimation_error: string;
  readonly confidence: Confidence;
};

export type DefinitionsRecord = Common & {
  readonly type: "definitions";
  readonly list_state?: ListState;
  readonly view_tools?: readonly Pick<ToolDefinition, "name" | "sha256">[];
} & DefinitionsCost;

export type Outcome = "ok" | "tool_error" | "rpc_error" | "cancelled" | "refused" | "abandoned";

export type Sizes = {
  readonly method: string;
  readonly request_id: string | number | null;
  readonly outcome: Outcome;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly input_bytes: number;
  readonly output_bytes: number;
  readonly duration_ms: number;
  readonly truncated: boolean;
};

export type CallRecord = Common &
  Sizes & {
    readonly type: "call";
    readonly tool: string | null;
    readonly messages: number;
    readonly wire_tokens: number;
    readonly visible_tokens: number;
    // A client script received the answer: the model may have read any part of it.
    readonly visible?: "unknown";
    // Present if the client may show more: as budgets count, else `content` + `structuredContent`.
    readonly most_tokens?: number;
    readonly duplicate_tokens: number;
    readonly arguments_sha256: string | null;
    readonly result_sha256: string | null;
    readonly model?: string;
    readonly call_id_sha256?: string;
    readonly thread_id_sha256?: string;
    readonly client_session_id_sha256?: string;
    readonly turn_id_sha256?: string;
    readonly traceparent?: string;
    readonly blocks: BlockCounts;
    readonly shape?: DataShape;
    readonly overhead: Overhead | null;
    readonly risk: Risk;
    readonly is_estimated: boolean;
    readonly estimation_method: EstimationMethod;
    readonly estimation_encoding: string;
    readonly confidence: Confidence;
  };

export type CountedCall = Pick<
  CallRecord,
  | "ts"
  | "session_id"
  | "seq"
  | "server"
  | "tool"
  | "method"
  | "outcome"
  | "input_tokens"
  | "output_tokens"
  | "output_bytes"
  | "wire_tokens"
  | "duplicate_tokens"
  | "arguments_sha256"
  | "model"
> &
  Partial<Pick<CallRecord, "confidence">>;

/** True for a refused call that ran: the server's answer was withheld. */
export function isWithheld({
  outcome,
  output_bytes: bytes,
}: Pick<CallRecord, "outcome" | "output_bytes">): boolean {
  return outcome === "refused" && bytes > 0;
}

export type ProtocolRecord = Common &
  Sizes & {
    readonly type: "protocol";
    // A page of an app sent the request, or is the answer: no model reads it.
    readonly reader?: "view";
    readonly tool?: string;
  };

// The `budget` of a breach by a line that is not exactly one valid message.
export const validMessages = "valid messages";

export type BreachRecord = Common & {
  readonly type: "breach";
  readonly budget: string;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  readonly spent: number;
  readonly tokens: number;
  readonly action: string;
  readonly is_enforced: boolean;
  readonly did_run: boolean;
  readonly tool: string | null;
  readonly request_id: string | number | null;
  readonly method?: string;
};

export type AlertRecord = Common & {
  readonly type: "alert";
  readonly alert: AlertKind;
  readonly tool: string | null;
  readonly budget: string | null;
  readonly limit: number | null;
  readonly value: number;
  readonly detail: string;
};

export type AlertKind =
  | "budget_warning"
  | "heavy_call"
  | "repeated_call"
  | "would_truncate"
  | "would_spill"
  | "slow_call"
  | "unknown_tool"
  | "definitions_changed";

export type FaultRecord = Common & {
  readonly type: "fault";
  readonly where: string;
  readonly what: string;
  readonly bytes?: number;
};

export type NotificationCount = {
  readonly method: string;
  readonly from: "client" | "server";
  readonly count: number;
  readonly bytes: number;
};

export type EndRecord = Common & {
  readonly type: "end";
  readonly exit_code: number | null;
  readonly signal: string | null;
  readonly duration_ms: number;
  readonly client_bytes: number;
  readonly server_bytes: number;
  readonly calls: number;
  readonly total_tokens: number;
  readonly notifications: readonly NotificationCount[];
  readonly opaque_client_lines: number;
  readonly opaque_server_lines: number;
  readonly unknown_answers: number;
  readonly late_answers: number;
  readonly dropped_records: number;
  readonly observer_faults: number;
  readonly budgets: readonly BudgetState[];
};

export type BudgetState = {
  readonly budget: string;
  readonly tool: string | null;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  readonly action: string;
  readonly spent: number;
  readonly breaches: number;
};

type WithoutCommon<R> = R extends Common ? Omit<R, keyof Common> : never;

export type RecordBody = WithoutCommon<MeterRecord>;

// See docs/records.md and imported-record.schema.json; never a payload.
export type ImportedRecord = ConversationRecord | TurnRecord | ImportedCallRecord | ToolListRecord;

export const importedVersion = "1.1";

// Ids are derived from the client's ids, so that a second import yields the same ids.
export type ImportedCommon = {
  readonly schema_version: typeof importedVersion;
  readonly ts: string;
  readonly session_id: string;
  readonly seq: number;
  readonly conversation_id: string;
};

type EstimatedByLog = Estimated & { readonly is_estimated: true };

export type ConversationRecord = ImportedCommon & {
  readonly type: "conversation";
  readonly client: string;
  readonly client_version: string | null;
  readonly parent: string | null;
  readonly kind: "main" | "subagent" | "fork";
  readonly project: string | null;
  readonly is_approximate: boolean;
  readonly client_session_id_sha256?: string;
};

export type TurnRecord = ImportedCommon & {
  readonly type: "turn";
  readonly index: number;
  readonly model: string | null;
  readonly uncached_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly native_cost_usd: number | null;
  readonly after_boundary: boolean;
  readonly is_estimated: false;
};

export type ImportedCallRecord = ImportedCommon & {
  readonly type: "imported_call";
  readonly source: "log";
  readonly client: string;
  readonly server: string;
  readonly tool: string;
  readonly method: string;
  // Some logs record errors like answers, so `ok` may be a guess.
  readonly outcome: Outcome;
  readonly call_id_sha256: string;
  readonly turn: number | null;
  readonly read_by: number | null;
  readonly model: string | null;
  readonly visible: "as_logged" | "spilled" | "unknown" | "none";
  readonly arguments_sha256: string | null;
  readonly arguments_bytes: number;
  readonly visible_bytes: number | null;
  readonly images: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly duration_ms: number | null;
} & EstimatedByLog;

export type ToolListRecord = ImportedCommon & {
  readonly type: "tool_list";
  readonly source: "log";
  readonly client: string;
  readonly server: string;
  readonly tools: readonly string[];
  readonly turn: number;
  // The first turn after their removal, or null. Names stay until the context starts over.
  readonly until_turn: number | null;
  readonly model: string | null;
  readonly tokens: number | null;
} & EstimatedByLog;
