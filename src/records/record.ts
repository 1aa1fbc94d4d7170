import type { DefinitionsCost } from "#cost/definitions-cost.ts";
import type { Confidence, EstimationMethod } from "#cost/estimation.ts";
import type { BlockCounts } from "#cost/block-counts.ts";
import type { Overhead } from "#cost/overhead/overhead.ts";
import type { Risk } from "#cost/risk.ts";
import type { ListState } from "#cost/tool-list.ts";

/**
 * One line of a record file, as docs/records.md describes it and record.schema.json validates it.
 * Holds names, sizes, counts and hashes, never a payload.
 */
export type MeterRecord =
  | SessionRecord
  | DefinitionsRecord
  | CallRecord
  | ProtocolRecord
  | BreachRecord
  | AlertRecord
  | FaultRecord
  | EndRecord;

/** Version of the record format. */
export const schemaVersion = "1.0";

/** Fields of every record. */
export type Common = {
  readonly schema_version: typeof schemaVersion;
  /** ISO 8601, UTC, milliseconds. */
  readonly ts: string;
  readonly session_id: string;
  /** Counts up from 0 within a session, without gaps. */
  readonly seq: number;
  /** The server's label. */
  readonly server: string;
};

export type SessionRecord = Common & {
  readonly type: "session";
  readonly meter_version: string;
  /** Base name of the server's command. */
  readonly command: string;
  /** Present when messages came by HTTP. */
  readonly transport?: "http";
  /** Present unless `--machine off`: the random id of the installation, or the one that its user gave. */
  readonly machine?: string;
  /** SHA-256 of the client's own id of its session; present when its environment has it. */
  readonly client_session_id_sha256?: string;
  readonly client_name: string | null;
  readonly client_version: string | null;
  readonly server_version: string | null;
  readonly protocol_version: string | null;
  readonly era: "legacy" | "modern" | null;
  /** Client profile that decides which parts of an answer the model reads. */
  readonly profile: string;
  readonly model: string | null;
  /** Context window in tokens. */
  readonly window: number;
} & Estimated;

/** The estimation behind the token counts of a record. */
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
  /** Absent in records of older versions. */
  readonly list_state?: ListState;
} & DefinitionsCost;

export type Outcome = "ok" | "tool_error" | "rpc_error" | "cancelled" | "refused" | "abandoned";

/** Sizes and duration of one exchange. */
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
  /** True when a line was too long or too deeply nested to parse, or was priced by its length. */
  readonly truncated: boolean;
};

export type CallRecord = Common &
  Sizes & {
    readonly type: "call";
    /** Name of the tool or prompt; null for other methods. */
    readonly tool: string | null;
    /** Requests and answers of this call; more than 2 for multi-round trips and tasks. */
    readonly messages: number;
    readonly wire_tokens: number;
    readonly visible_tokens: number;
    /** Present when a script of the client got the answer: its model read any part of it, at most these tokens. */
    readonly visible?: "unknown";
    /**
     * Present when the client is unknown and may show more than `output_tokens`: the tokens of the call if it shows
     * `content` and `structuredContent`. Budgets count these.
     */
    readonly most_tokens?: number;
    readonly duplicate_tokens: number;
    readonly arguments_sha256: string | null;
    readonly result_sha256: string | null;
    /** Present when the request names it. */
    readonly model?: string;
    /** SHA-256 of the client's own ids, each present when the request has it. */
    readonly call_id_sha256?: string;
    readonly thread_id_sha256?: string;
    readonly client_session_id_sha256?: string;
    readonly turn_id_sha256?: string;
    /** Present when the request names the span of its caller: `traceparent` of W3C Trace Context. */
    readonly traceparent?: string;
    readonly blocks: BlockCounts;
    readonly overhead: Overhead | null;
    readonly risk: Risk;
    readonly is_estimated: boolean;
    readonly estimation_method: EstimationMethod;
    readonly estimation_encoding: string;
    readonly confidence: Confidence;
  };

/** The part of a call that a report over time adds up. */
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
  | "wire_tokens"
  | "duplicate_tokens"
  | "arguments_sha256"
  | "model"
>;

export type ProtocolRecord = Common & Sizes & { readonly type: "protocol" };

export type BreachRecord = Common & {
  readonly type: "breach";
  readonly budget: string;
  readonly limit: number;
  readonly unit: "tokens" | "calls";
  readonly per: string;
  readonly spent: number;
  readonly tokens: number;
  readonly action: string;
  /** False when the action only warns. */
  readonly is_enforced: boolean;
  /** True when the server had already run the call. */
  readonly did_run: boolean;
  readonly tool: string | null;
  readonly request_id: string | number | null;
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
};

/** Notifications of one method in one direction. */
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
  /** Lines from the client that are not JSON-RPC. */
  readonly opaque_client_lines: number;
  readonly opaque_server_lines: number;
  readonly unknown_answers: number;
  readonly late_answers: number;
  readonly dropped_records: number;
  readonly observer_faults: number;
  /** Every budget counter of this session; empty without budgets. */
  readonly budgets: readonly BudgetState[];
};

/** One budget counter at the end of a session. */
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

/** A record without the fields that every record has. */
export type RecordBody = WithoutCommon<MeterRecord>;
