import type { Estimated, Outcome } from "./record.ts";

/**
 * One line of a file that `import` writes, as docs/records.md describes it and imported-record.schema.json validates it.
 * Like the records of a session it holds names, sizes, counts and hashes, never a payload.
 */
export type ImportedRecord = ConversationRecord | TurnRecord | ImportedCallRecord | ToolListRecord;

/** Version of the record format that these types came with. */
export const importedVersion = "1.1";

/** Fields of every imported record. Ids are derived from the client's own, so that a second import gives the same. */
export type ImportedCommon = {
  readonly schema_version: typeof importedVersion;
  /** ISO 8601, UTC, milliseconds. */
  readonly ts: string;
  /** Of a call or a list of tools: of its conversation and server. Otherwise the conversation's. */
  readonly session_id: string;
  /** Counts up from 0 within a session. */
  readonly seq: number;
  readonly conversation_id: string;
};

/** The estimation behind the tokens of a record: no log has native ones of calls. */
type EstimatedByLog = Estimated & { readonly is_estimated: true };

/** A conversation of a client with its model. */
export type ConversationRecord = ImportedCommon & {
  readonly type: "conversation";
  readonly client: string;
  readonly client_version: string | null;
  /** The conversation that it was forked or spawned from. */
  readonly parent: string | null;
  readonly kind: "main" | "subagent" | "fork";
  /** Hash of the project's folder, by the key of this installation. */
  readonly project: string | null;
  /** True when a count of the conversation rests on a guess. */
  readonly is_approximate: boolean;
  /** SHA-256 of the client's own id of the session; absent for sub-agents, and in records of older versions. */
  readonly client_session_id_sha256?: string;
};

/** One request to the model. Tokens are native. */
export type TurnRecord = ImportedCommon & {
  readonly type: "turn";
  /** Counts the turns of the conversation from 0, by their times. */
  readonly index: number;
  readonly model: string | null;
  readonly uncached_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  /** Reasoning included. */
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  /** The client's own price. */
  readonly native_cost_usd: number | null;
  /** True when the context started over before it. */
  readonly after_boundary: boolean;
  readonly is_estimated: false;
};

/** A call of a server's tool, as a log has it. */
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
  /** The turn that asked for it. */
  readonly turn: number | null;
  /** The first turn whose prompt holds the answer. */
  readonly read_by: number | null;
  readonly model: string | null;
  readonly visible: "as_logged" | "spilled" | "unknown" | "none";
  readonly arguments_sha256: string | null;
  readonly arguments_bytes: number;
  readonly visible_bytes: number | null;
  readonly images: number;
  /** Null when tokens were not counted. */
  readonly input_tokens: number | null;
  /** Null also when the log does not hold the text that the model read. */
  readonly output_tokens: number | null;
  readonly duration_ms: number | null;
} & EstimatedByLog;

/** Tools that a client offered its model by their names alone, until the model asked for their definitions. */
export type ToolListRecord = ImportedCommon & {
  readonly type: "tool_list";
  readonly source: "log";
  readonly client: string;
  readonly server: string;
  readonly tools: readonly string[];
  /** The first turn whose prompt has the names. */
  readonly turn: number;
  /** The first turn after they were removed, null for tools that stay. Their names stay until the context starts over. */
  readonly until_turn: number | null;
  readonly model: string | null;
  /** Of the names, as the model reads them; null when tokens were not counted. */
  readonly tokens: number | null;
} & EstimatedByLog;
