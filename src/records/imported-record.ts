import type { Estimated, Outcome } from "./record.ts";

/** By docs/records.md and imported-record.schema.json. Names, sizes, counts and hashes, never a payload. */
export type ImportedRecord = ConversationRecord | TurnRecord | ImportedCallRecord | ToolListRecord;

export const importedVersion = "1.1";

/** Ids are derived from the client's own, so that a second import gives the same. */
export type ImportedCommon = {
  readonly schema_version: typeof importedVersion;
  readonly ts: string;
  /** Of a call or a list of tools: of its conversation and server. Otherwise the conversation's. */
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
  /** In some logs errors look like answers: `ok` may then be a guess. */
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
  /** The first turn after they were removed, null for tools that stay. Names stay until the context starts over. */
  readonly until_turn: number | null;
  readonly model: string | null;
  readonly tokens: number | null;
} & EstimatedByLog;
