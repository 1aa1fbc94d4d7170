import type { LoggedUsage } from "./logged-usage.ts";

/**
 * One fact of a client's log: numbers, ids, names and hashes, never a payload. An importer makes them from one file
 * alone; the merge folds those of all files. Times are milliseconds since 1970, null where the log has none.
 */
export type LogEvent =
  | ConversationEvent
  | RequestEvent
  | CounterEvent
  | SessionTotalEvent
  | ToolUseEvent
  | ToolResultEvent
  | ToolEndEvent
  | BoundaryEvent
  | EntryEvent
  | ToolListEvent;

/** A conversation of the file. Several events about one conversation add up: the first value that is not null counts. */
export type ConversationEvent = {
  readonly kind: "conversation";
  readonly at: number | null;
  /** The client's own id of this conversation. A sub-agent has one of its own. */
  readonly conversation: string;
  /** The client's own id of the session that a user began; sub-agents share it where the client says so. */
  readonly session: string;
  readonly role: "main" | "subagent" | "fork" | null;
  /** The conversation that it was forked or spawned from. */
  readonly parent: string | null;
  readonly clientVersion: string | null;
  /** Hash of the project's folder. */
  readonly project: string | null;
  /** Base name of that folder, where the user wants it. */
  readonly projectName?: string | null;
  /** True when a count of this conversation rests on a guess. */
  readonly isApproximate?: boolean;
};

/** One request to a model, or one more line about it. */
export type RequestEvent = {
  readonly kind: "request";
  readonly at: number | null;
  readonly conversation: string;
  readonly keys: RequestKeys;
  /** True for a line of a sub-agent; such a copy never changes the request of the main conversation. */
  readonly isSideChain: boolean;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  /**
   * Which of several lines about one request counts: the largest number of each component, the last or the first line.
   * A `fallback` sums up a message and counts only where no other line about the message does; its time and model are
   * those of the other lines that have none.
   */
  readonly merge: "largest" | "last" | "first" | "fallback";
  /** The client's own price in dollars. */
  readonly nativeCost?: number;
};

/** Ids by which several lines are the same request. */
type RequestKeys = {
  readonly message: string | null;
  readonly request: string | null;
  readonly line: string | null;
  /** Present where a client copies messages under new ids: equal for a message and its copies. */
  readonly copy?: string;
};

/** The cumulative counter of a conversation, for clients that write no usage per request. */
export type CounterEvent = {
  readonly kind: "counter";
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
  readonly total: LoggedUsage;
  /** The usage of the last request alone; null where the log has none. */
  readonly last: LoggedUsage | null;
  /** True for one so soon after the start of the conversation that it may be a copy of its parent's. */
  readonly isEarly: boolean;
  /** Id of the turn; a copy has that of its parent's turn. Null where the log has none. */
  readonly turn: string | null;
};

/** The client's own sum of a session until here, by model; the last one counts. */
export type SessionTotalEvent = {
  readonly kind: "session_total";
  readonly at: number | null;
  readonly conversation: string;
  /** When the client began to add up: a fork has that of its parent, whose requests are in its sum. Absent or null where unknown. */
  readonly startMs?: number | null;
  readonly models: readonly { readonly model: string; readonly usage: LoggedUsage }[];
};

/** A call that a model asked for. */
export type ToolUseEvent = {
  readonly kind: "tool_use";
  readonly at: number | null;
  readonly conversation: string;
  /** The client's own id of the call. */
  readonly id: string;
  readonly name: ToolName;
  readonly method: "tools/call" | "resources/read";
  readonly argumentBytes: number;
  /** Null when tokens are not counted. */
  readonly argumentTokens: number | null;
  /** Hash of the arguments as compact JSON. */
  readonly argumentsHash: string | null;
  readonly model: string | null;
  readonly isSideChain: boolean;
  /** `message` of the request that asked for it. */
  readonly message: string | null;
};

/** The name of a tool: server and tool where the log has both, else the joined name that the model reads. */
export type ToolName =
  | { readonly server: string; readonly tool: string }
  | { readonly joined: string; readonly form: JoinedForm };

/**
 * How a client joins server and tool: `double` as `mcp__server__tool`, `single` as `mcp_server_tool`, `bare` as
 * `server_tool`, `extension` as `extension__tool`.
 */
export type JoinedForm = "double" | "single" | "bare" | "extension";

/** Result of a call as a log has it. A call that the client rejected itself never reached a server. */
export type LoggedOutcome =
  "ok" | "tool_error" | "rpc_error" | "cancelled" | "abandoned" | "denied" | "unknown_tool";

/** The part of an answer that the model read. */
export type LoggedVisibility = "as_logged" | "spilled" | "unknown" | "none";

/** The answer of a call as the model read it. The first one of an id counts. */
export type ToolResultEvent = {
  readonly kind: "tool_result";
  readonly at: number | null;
  readonly conversation: string;
  readonly id: string;
  readonly outcome: LoggedOutcome;
  readonly visible: LoggedVisibility;
  /** UTF-8 bytes of the text; null when the log does not have it. */
  readonly bytes: number | null;
  readonly tokens: number | null;
  readonly images: number;
  readonly durationMs: number | null;
};

/** The end of a call as the client got it from the server, for clients that log it apart from the text for the model. */
export type ToolEndEvent = {
  readonly kind: "tool_end";
  readonly at: number | null;
  readonly conversation: string;
  readonly id: string;
  readonly name: ToolName;
  readonly method: "tools/call" | "resources/read";
  readonly outcome: LoggedOutcome;
  readonly durationMs: number | null;
  readonly argumentBytes: number;
  readonly argumentTokens: number | null;
  readonly argumentsHash: string | null;
};

/** The context of a conversation is replaced by a new one. */
export type BoundaryEvent = {
  readonly kind: "boundary";
  readonly at: number | null;
  readonly conversation: string;
  readonly why: "compaction" | "rewind" | "clear";
  /** Id of the line, by which a copy in another file is the same boundary. */
  readonly line: string | null;
};

/** Something besides the answers of servers that entered a prompt; of copies with the same line, the first counts. */
export type EntryEvent = {
  readonly kind: "entry";
  readonly at: number | null;
  readonly conversation: string;
  /** Text of the user or the client, the result of a tool that is not a server's, or reasoning that is not counted. */
  readonly entry: "text" | "other_result" | "reasoning";
  /** Id of the line, by which a copy in another file is the same entry. */
  readonly line: string | null;
};

/** Tools that a client offers its model from now on, or no longer, where it names them without their definitions. */
export type ToolListEvent = {
  readonly kind: "tool_list";
  readonly at: number | null;
  readonly conversation: string;
  /** Joined names of servers' tools, as the model reads them. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly form: JoinedForm;
};
