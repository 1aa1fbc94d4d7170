import type { DefinitionsCost, ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { Confidence, EstimationMethod } from "#tokens/cost/estimator.ts";
import type { BlockCounts } from "#tokens/cost/client-profiles/block.ts";
import type { Overhead } from "#tokens/cost/answer-overhead/overhead.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import type { DataShape } from "#tokens/cost/data-shape.ts";
import type { ListState } from "#tokens/cost/tool-list.ts";

// See docs/records.md and record.schema.json. Records hold names, sizes, counts and hashes, never a payload.
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

export type CommonMembers = {
  readonly schema_version: typeof schemaVersion;
  readonly ts: string;
  readonly session_id: string;
  readonly seq: number;
  readonly server: string;
};

export type SessionRecord = CommonMembers & {
  readonly type: "session";
  readonly meter_version: string;
  readonly command: string;
  readonly transport?: "http";
  readonly machine?: string;
  readonly user?: string;
  readonly client_session_id_sha256?: string;
  readonly client_name: string | null;
  readonly client_version: string | null;
  readonly server_version: string | null;
  readonly protocol_version: string | null;
  readonly era: "legacy" | "modern" | null;
  readonly profile: string;
  readonly model: string | null;
  readonly window: number;
} & EstimationMembers;

export type EstimationMembers = {
  readonly is_estimated: boolean;
  readonly estimator: string;
  readonly estimation_method: EstimationMethod;
  readonly estimation_encoding: string;
  readonly estimation_error: string;
  readonly confidence: Confidence;
};

export type DefinitionsRecord = CommonMembers & {
  readonly type: "definitions";
  readonly list_state?: ListState;
  // Tools that only the pages of MCP Apps can call.
  readonly view_tools?: readonly Pick<ToolDefinition, "name" | "sha256">[];
} & DefinitionsCost;

export type Outcome = "ok" | "tool_error" | "rpc_error" | "cancelled" | "refused" | "abandoned";

export const errorOutcomes = ["tool_error", "rpc_error"] as const satisfies readonly Outcome[];

export function isErrorOutcome(outcome: Outcome): outcome is (typeof errorOutcomes)[number] {
  return errorOutcomes.some((error) => error === outcome);
}

export type ExchangeMembers = {
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

// A change of the tool list since the model's previous call.
export type ListChange = {
  readonly kind: "order" | "tools";
  // The least number of prompt tokens that are written to the cache again because of the change.
  readonly rewritten_tokens: number;
};

export type CallRecord = CommonMembers &
  ExchangeMembers & {
    readonly type: "call";
    readonly tool: string | null;
    readonly messages: number;
    readonly wire_tokens: number;
    readonly visible_tokens: number;
    // The answer went to a script that the client runs, so the model may have read any part of it.
    readonly visible?: "unknown";
    // The most tokens that the call may have used. Present if the client may show more than `visible_tokens`.
    // `most_tokens` is charged to token budgets. A session without token budgets estimates `most_tokens` more roughly.
    readonly most_tokens?: number;
    // Present if the model read a note that the answer is unchanged.
    readonly saved_tokens?: number;
    readonly duplicate_tokens: number;
    readonly arguments_sha256: string | null;
    readonly result_sha256: string | null;
    readonly model?: string;
    readonly call_id_sha256?: string;
    readonly thread_id_sha256?: string;
    readonly client_session_id_sha256?: string;
    readonly turn_id_sha256?: string;
    readonly traceparent?: string;
    readonly list_change?: ListChange;
    readonly blocks: BlockCounts;
    readonly shape?: DataShape;
    readonly overhead: Overhead | null;
    readonly risk: Risk;
    readonly is_estimated: boolean;
    readonly estimation_method: EstimationMethod;
    readonly estimation_encoding: string;
    readonly confidence: Confidence;
  };

// The members of a call record that the reports read. Imported calls are converted to this type.
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
  Partial<Pick<CallRecord, "confidence" | "list_change" | "saved_tokens">>;

export type ProtocolRecord = CommonMembers &
  ExchangeMembers & {
    readonly type: "protocol";
    // No model reads the answer: the page of an MCP App sent the request, or the answer is such a page.
    readonly reader?: "view";
    readonly tool?: string;
  };

// The value of `budget` in the breach record for a line that is not exactly one valid message.
export const validMessagesRule = "valid messages";

// The value of `budget` in the breach record for a call that breaks `--hide` or `--only`.
export const hideRule = "hide";

export type BreachRecord = CommonMembers & {
  readonly type: "breach";
  readonly budget: string;
  readonly limit: number;
  readonly unit: "tokens" | "calls" | "dollars";
  readonly per: string;
  readonly spent: number;
  readonly tokens: number;
  readonly cost_usd?: number; // of the call, if the unit is dollars
  readonly action: string;
  readonly is_enforced: boolean;
  readonly did_run: boolean; // the server had already run the call
  readonly tool: string | null;
  readonly request_id: string | number | null;
  readonly method?: string;
  readonly user?: string; // if the budget is per user
};

export type AlertRecord = CommonMembers & {
  readonly type: "alert";
  readonly alert: AlertKind;
  readonly tool: string | null;
  readonly budget: string | null;
  readonly limit: number | null;
  readonly value: number;
  readonly detail: string;
  readonly user?: string;
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

export type FaultRecord = CommonMembers & {
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

export type EndRecord = CommonMembers & {
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

export type BudgetState = Pick<
  BreachRecord,
  "budget" | "tool" | "limit" | "unit" | "per" | "action" | "spent"
> & {
  readonly breaches: number;
  readonly prices?: string; // where the prices come from, if the budget is in dollars
  readonly user?: string;
};

type WithoutCommon<R> = R extends CommonMembers ? Omit<R, keyof CommonMembers> : never;

export type RecordBody = WithoutCommon<MeterRecord>;

// See docs/records.md and imported-record.schema.json.
export type ImportedRecord = ConversationRecord | TurnRecord | ImportedCallRecord | ToolListRecord;

export const importedVersion = "1.1";

// Ids are derived from the client's ids, so that importing a log again yields the same ids.
export type ImportedMembers = {
  readonly schema_version: typeof importedVersion;
  readonly ts: string;
  readonly session_id: string;
  readonly seq: number;
  readonly conversation_id: string;
};

type LogEstimationMembers = EstimationMembers & { readonly is_estimated: true };

export type ConversationRecord = ImportedMembers & {
  readonly type: "conversation";
  readonly client: string;
  readonly client_version: string | null;
  readonly parent: string | null;
  readonly kind: "main" | "subagent" | "fork";
  readonly project: string | null;
  readonly is_approximate: boolean;
  readonly client_session_id_sha256?: string;
};

export type TurnRecord = ImportedMembers & {
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
  readonly after_boundary: boolean; // the context started over before this turn, e.g. by compaction
  readonly is_estimated: false;
};

export type ImportedCallRecord = ImportedMembers & {
  readonly type: "imported_call";
  readonly source: "log";
  readonly client: string;
  readonly server: string;
  readonly tool: string;
  readonly method: string;
  readonly outcome: Outcome; // `ok` may be a guess: some logs record errors as answers
  readonly call_id_sha256: string;
  readonly turn: number | null;
  readonly read_by: number | null; // index of the first turn whose prompt holds the answer
  readonly model: string | null;
  readonly visible: "as_logged" | "spilled" | "unknown" | "none";
  readonly arguments_sha256: string | null;
  readonly arguments_bytes: number;
  readonly visible_bytes: number | null;
  readonly images: number;
  readonly input_tokens: number | null;
  readonly output_tokens: number | null;
  readonly duration_ms: number | null;
} & LogEstimationMembers;

export type ToolListRecord = ImportedMembers & {
  readonly type: "tool_list";
  readonly source: "log";
  readonly client: string;
  readonly server: string;
  readonly tools: readonly string[];
  readonly turn: number;
  // The first turn after the tools were removed. Their names remain in the prompt until the context is reset.
  readonly until_turn: number | null;
  readonly model: string | null;
  readonly tokens: number | null;
} & LogEstimationMembers;
