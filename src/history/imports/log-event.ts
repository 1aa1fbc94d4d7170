import type { TurnUsage } from "#records/money/turns/turn.ts";

// An event comes from one file, and contains no prompts, arguments or answers. Times are milliseconds since
// 1970, or null if unknown.
export type LogEvent =
  | ConversationEvent
  | RequestEvent
  | RunningTotalEvent
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
  // The conversation's id in the log. A sub-agent is usually a separate conversation.
  readonly conversation: string;
};

// Several events may describe one conversation. The last `session` and the last known `role` are used.
// `isApproximate` is true if any event sets it. For the other members, the first known value is used.
export type ConversationEvent = Logged<"conversation"> & {
  readonly session: string;
  readonly role: "main" | "subagent" | "fork" | null;
  readonly parent: string | null;
  readonly clientVersion: string | null;
  readonly project: string | null;
  readonly projectName?: string | null;
  readonly isApproximate?: boolean;
};

export type LoggedConversation = {
  readonly id: string;
  session: string;
  role: "main" | "subagent" | "fork";
  parent: string | null;
  clientVersion: string | null;
  project: string | null;
  projectName: string | null;
  isApproximate: boolean;
  isLoggedChild: boolean; // the log calls it a sub-agent or a fork; false if only copied lines suggest this
  beganAt: number | null;
};

export function makeConversation(id: string, at: number | null): ConversationEvent {
  return {
    kind: "conversation",
    at,
    conversation: id,
    session: id,
    role: null,
    parent: null,
    clientVersion: null,
    project: null,
  };
}

export type RequestEvent = Logged<"request"> & {
  readonly keys: RequestKeys;
  // True only if the event belongs to a sub-agent. Such an event never changes a request of the main conversation.
  readonly isSideChain?: boolean;
  readonly model: string | null;
  readonly usage: LoggedUsage;
  // How events of the same request are merged. A `fallback` event describes a message, for which the client may have
  // sent several requests. If a request of the message is logged separately, the tokens of the `fallback` event do not
  // count. A request without a time or model gets the time or model of the `fallback` event.
  readonly merge: "largest" | "last" | "first" | "fallback";
  readonly nativeCost?: number | undefined;
};

export function makeRequestEvent(
  { at, conversation, model }: CallFacts,
  message: string | null,
  usage: LoggedUsage,
  merge: RequestEvent["merge"],
): RequestEvent {
  const keys = { message, request: null, line: null };
  return { kind: "request", at, conversation, keys, model, usage, merge };
}

type RequestKeys = {
  readonly message: string | null;
  readonly request: string | null;
  readonly line: string | null;
  // For clients that copy messages under new ids: equal for a message and its copies.
  readonly copy?: string;
};

export type RunningTotalEvent = Logged<"running_total"> & {
  readonly model: string | null;
  readonly total: LoggedUsage;
  readonly last: LoggedUsage | null;
  // Logged so soon after the conversation began that it may be copied from the parent.
  readonly isEarly: boolean;
  // The id of the turn, which a copy keeps.
  readonly turn: string | null;
};

// The usage of the session by model, up to this event.
export type SessionTotalEvent = Logged<"session_total"> & {
  // The total begins at this time. A fork keeps its parent's time, so its total includes the parent's total.
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
  readonly isSideChain?: boolean;
  readonly message: string | null;
};

export type CallFacts = Pick<ToolUseEvent, "at" | "conversation" | "model">;

export type ToolName =
  | { readonly server: string; readonly tool: string }
  | { readonly joined: string; readonly form: JoinedForm };

export type JoinedForm =
  "mcp__server__tool" | "mcp_server_tool" | "server_tool" | "extension__tool";

export type LoggedOutcome =
  "ok" | "tool_error" | "rpc_error" | "cancelled" | "abandoned" | "denied" | "unknown_tool";

export type LoggedVisibility = "as_logged" | "spilled" | "unknown" | "none";

// If several events have the same id, only the first whose `visible` is not `none` is used.
export type ToolResultEvent = Logged<"tool_result"> & {
  readonly id: string;
  readonly outcome: LoggedOutcome;
  readonly visible: LoggedVisibility;
  // In UTF-8; null if the log lacks the text.
  readonly bytes: number | null;
  readonly tokens: number | null;
  readonly images: number;
  readonly isSideChain?: boolean;
};

export type ToolEndEvent = Logged<"tool_end"> &
  Omit<ToolUseEvent, "kind" | "model" | "isSideChain" | "message"> & {
    readonly outcome: LoggedOutcome;
    readonly durationMs: number | null;
  };

export type BoundaryEvent = Logged<"boundary"> & {
  readonly reason: "compaction" | "rewind" | "clear";
  readonly line: string | null;
};

// If several events have the same non-null `line`, only the first is used.
export type EntryEvent = Logged<"entry"> & {
  readonly entry: "text" | "other_result" | "reasoning";
  readonly line: string | null;
};

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

// For clients that include cached tokens in the logged input.
export function splitInput(
  input: number,
  cacheRead: number,
  cacheWrite5m: number,
): Pick<LoggedUsage, "uncached" | "cacheRead" | "cacheWrite5m"> {
  return { uncached: Math.max(0, input - cacheRead - cacheWrite5m), cacheRead, cacheWrite5m };
}

export function isEmptyUsage(usage: LoggedUsage): boolean {
  return Object.values(usage).every((tokens) => tokens === 0);
}

// Far beyond any request or session, yet sums stay safe integers.
const loggedTokensMax = 1e12;

export function parseTokens(value: unknown): number {
  const isCount = typeof value === "number" && Number.isInteger(value);
  return isCount && value > 0 && value <= loggedTokensMax ? value : 0;
}
