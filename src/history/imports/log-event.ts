import type { TurnUsage } from "#records/money/turns/turn.ts";

/** Numbers, ids, names and hashes, never a payload. An importer makes events from one file alone. Times are ms since 1970, null where the log has none. */
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

type Logged<Kind extends string> = {
  readonly kind: Kind;
  readonly at: number | null;
  /** The client's own id. A sub-agent has another one. */
  readonly conversation: string;
};

/** Several events about one conversation add up: the first value that is not null counts. */
export type ConversationEvent = Logged<"conversation"> & {
  readonly session: string;
  readonly role: "main" | "subagent" | "fork" | null;
  readonly parent: string | null;
  readonly clientVersion: string | null;
  readonly project: string | null;
  readonly projectName?: string | null;
  /** A count of this conversation rests on a guess. */
  readonly isApproximate?: boolean;
};

export type RequestEvent = Logged<"request"> & {
  readonly keys: RequestKeys;
  /** From a sub-agent; such a copy never changes the request of the main conversation. */
  readonly isSideChain: boolean;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  /**
   * Which of several lines about one request counts: the largest number of each component, the last or the first
   * line. A `fallback` sums up a message and counts only if no other line does; its time and model fill in for lines
   * that have none.
   */
  readonly merge: "largest" | "last" | "first" | "fallback";
  readonly nativeCost?: number;
};

type RequestKeys = {
  readonly message: string | null;
  readonly request: string | null;
  readonly line: string | null;
  /** Equal for a message and its copies, for clients that copy messages under new ids. */
  readonly copy?: string;
};

/** For clients that write no usage per request. */
export type CounterEvent = Logged<"counter"> & {
  readonly model: string | null;
  readonly total: LoggedUsage;
  readonly last: LoggedUsage | null;
  /** So soon after the start that it may be a copy of the parent's. */
  readonly isEarly: boolean;
  /** A copy has the turn of its parent. Null if the log has none. */
  readonly turn: string | null;
};

/** By model; the last one counts. */
export type SessionTotalEvent = Logged<"session_total"> & {
  /** When the client began to add up: a fork has its parent's start, whose requests are in its sum. Absent or null if unknown. */
  readonly startMs?: number | null;
  readonly models: readonly { readonly model: string; readonly usage: LoggedUsage }[];
};

export type ToolUseEvent = Logged<"tool_use"> & {
  readonly id: string;
  readonly name: ToolName;
  readonly method: "tools/call" | "resources/read";
  readonly argumentBytes: number;
  readonly argumentTokens: number | null;
  readonly argumentsHash: string | null;
  readonly model: string | null;
  readonly isSideChain: boolean;
  readonly message: string | null;
};

/** Server and tool if the log has both, else the joined name that the model reads. */
export type ToolName =
  | { readonly server: string; readonly tool: string }
  | { readonly joined: string; readonly form: JoinedForm };

/** `double` is `mcp__server__tool`, `single` is `mcp_server_tool`, `bare` is `server_tool`, `extension` is `extension__tool`. */
export type JoinedForm = "double" | "single" | "bare" | "extension";

/** A call that the client rejected itself never reached a server. */
export type LoggedOutcome =
  "ok" | "tool_error" | "rpc_error" | "cancelled" | "abandoned" | "denied" | "unknown_tool";

export type LoggedVisibility = "as_logged" | "spilled" | "unknown" | "none";

/** As the model read it. The first one of an id counts. */
export type ToolResultEvent = Logged<"tool_result"> & {
  readonly id: string;
  readonly outcome: LoggedOutcome;
  readonly visible: LoggedVisibility;
  /** UTF-8; null when the log does not have the text. */
  readonly bytes: number | null;
  readonly tokens: number | null;
  readonly images: number;
  readonly durationMs: number | null;
};

export type ToolEndEvent = Logged<"tool_end"> & {
  readonly id: string;
  readonly name: ToolName;
  readonly method: "tools/call" | "resources/read";
  readonly outcome: LoggedOutcome;
  readonly durationMs: number | null;
  readonly argumentBytes: number;
  readonly argumentTokens: number | null;
  readonly argumentsHash: string | null;
};

export type BoundaryEvent = Logged<"boundary"> & {
  readonly why: "compaction" | "rewind" | "clear";
  readonly line: string | null;
};

/** Entered a prompt besides the answers of servers; of copies with the same line, the first counts. */
export type EntryEvent = Logged<"entry"> & {
  readonly entry: "text" | "other_result" | "reasoning";
  /** Equal for a copy in another file. */
  readonly line: string | null;
};

/** For clients that name tools without their definitions. */
export type ToolListEvent = Logged<"tool_list"> & {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly form: JoinedForm;
};

export function pickEarliest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}

export type LoggedUsage = TurnUsage;

export const noUsage: LoggedUsage = {
  uncached: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  output: 0,
  reasoning: 0,
};

export function joinUsage(
  a: LoggedUsage,
  b: LoggedUsage,
  join: (a: number, b: number) => number,
): LoggedUsage {
  return {
    uncached: join(a.uncached, b.uncached),
    cacheRead: join(a.cacheRead, b.cacheRead),
    cacheWrite5m: join(a.cacheWrite5m, b.cacheWrite5m),
    cacheWrite1h: join(a.cacheWrite1h, b.cacheWrite1h),
    output: join(a.output, b.output),
    reasoning: join(a.reasoning, b.reasoning),
  };
}

export function addUsage(a: LoggedUsage, b: LoggedUsage): LoggedUsage {
  return joinUsage(a, b, (first, second) => first + second);
}

export function maximizeUsage(a: LoggedUsage, b: LoggedUsage): LoggedUsage {
  return joinUsage(a, b, Math.max);
}

export function subtractUsage(a: LoggedUsage, b: LoggedUsage): LoggedUsage {
  return joinUsage(a, b, (first, second) => Math.max(0, first - second));
}

export function isNoUsage(usage: LoggedUsage): boolean {
  return Object.values(usage).every((tokens) => tokens === 0);
}

/** Sums of such numbers stay integers that a record may hold; no request or session comes near it. */
const loggedTokensMax = 1e12;

export function parseTokenCount(value: unknown): number {
  const isCount = typeof value === "number" && Number.isInteger(value);
  return isCount && value > 0 && value <= loggedTokensMax ? value : 0;
}
