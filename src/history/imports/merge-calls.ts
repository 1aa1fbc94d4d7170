import type {
  LogEvent,
  LoggedOutcome,
  LoggedVisibility,
  ToolEndEvent,
  ToolResultEvent,
  ToolUseEvent,
  ConversationEvent,
} from "./log-event.ts";
import { NameSplitter, type ServerTool } from "./tool-lists.ts";

export type LoggedCall = {
  readonly id: string;
  readonly server: string;
  readonly tool: string;
  readonly method: "tools/call" | "resources/read";
  readonly outcome: LoggedOutcome;
  readonly visible: LoggedVisibility;
  readonly at: number | null;
  readonly conversation: string;
  readonly model: string | null;
  readonly message: string | null;
  readonly argumentBytes: number;
  readonly argumentTokens: number | null;
  readonly argumentsHash: string | null;
  readonly bytes: number | null;
  readonly tokens: number | null;
  readonly images: number;
  readonly durationMs: number | null;
  readonly answeredAt: number | null;
};

type MergedCalls = { readonly calls: readonly LoggedCall[]; readonly nameless: number };

type Parts = { use?: ToolUseEvent; result?: ToolResultEvent; end?: ToolEndEvent };

export function mergeCalls(
  events: readonly LogEvent[],
  knownServers: readonly string[],
): MergedCalls {
  const parts = partsById(events);
  const calls: LoggedCall[] = [];
  let nameless = 0;
  const names = new NameSplitter(knownServers);
  for (const [id, part] of parts) {
    const name = part.end?.name ?? part.use?.name;
    if (name === undefined) continue;
    const named = names.split(name);
    const call = named && callOf(id, part, named);
    if (call) calls.push(call);
    else nameless += 1;
  }
  return { calls: calls.toSorted(byTime), nameless };
}

function partsById(events: readonly LogEvent[]): ReadonlyMap<string, Parts> {
  const parts = new Map<string, Parts>();
  const partOf = (id: string): Parts => {
    const known = parts.get(id) ?? {};
    parts.set(id, known);
    return known;
  };
  for (const event of events) {
    if (event.kind === "tool_use") partOf(event.id).use ??= event;
    else if (event.kind === "tool_result") addResult(partOf(event.id), event);
    else if (event.kind === "tool_end") partOf(event.id).end ??= event;
  }
  return parts;
}

/** The first answer counts; a line with only an outcome gives way to any later one. */
function addResult(part: Parts, event: ToolResultEvent): void {
  if (!part.result || part.result.visible === "none") part.result = event;
}

function byTime(a: LoggedCall, b: LoggedCall): number {
  return (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1);
}

/** Not spread: an object takes half the memory when its members are known from the start. */
function callOf(id: string, parts: Parts, { server, tool }: ServerTool): LoggedCall | undefined {
  const asked = askedOf(parts);
  if (!asked) return undefined;
  const end = endOf(parts);
  const answer = answerOf(parts);
  return {
    id,
    server,
    tool,
    method: asked.method,
    outcome: end.outcome,
    visible: answer.visible,
    at: asked.at,
    conversation: asked.conversation,
    model: asked.model,
    message: asked.message,
    argumentBytes: asked.argumentBytes,
    argumentTokens: asked.argumentTokens,
    argumentsHash: asked.argumentsHash,
    bytes: answer.bytes,
    tokens: answer.tokens,
    images: answer.images,
    durationMs: end.durationMs,
    answeredAt: end.answeredAt,
  };
}

type Asked = Pick<
  LoggedCall,
  | "method"
  | "at"
  | "conversation"
  | "model"
  | "message"
  | "argumentBytes"
  | "argumentTokens"
  | "argumentsHash"
>;

function askedOf({ use, end }: Parts): Asked | undefined {
  if (use) return use;
  return end && { ...end, model: null, message: null };
}

/** The client's own end of a call knows more than the text that its model read. */
function endOf({ result, end }: Parts): Pick<LoggedCall, "outcome" | "durationMs" | "answeredAt"> {
  const last = end ?? result;
  return {
    outcome: last?.outcome ?? "abandoned",
    durationMs: last?.durationMs ?? null,
    answeredAt: (result ?? end)?.at ?? null,
  };
}

/** An answer without a visible call went to a script of the model: any part of it was read. */
function answerOf({
  use,
  result,
}: Parts): Pick<LoggedCall, "visible" | "bytes" | "tokens" | "images"> {
  if (result) {
    const { visible, bytes, tokens, images } = result;
    return { visible, bytes, tokens, images };
  }
  return { visible: use ? "none" : "unknown", bytes: null, tokens: null, images: 0 };
}

export type LoggedConversation = {
  readonly id: string;
  session: string;
  role: "main" | "subagent" | "fork";
  parent: string | null;
  clientVersion: string | null;
  project: string | null;
  projectName: string | null;
  isApproximate: boolean;
  isChild: boolean;
  beganAt: number | null;
};

export function conversationsOf(
  files: readonly (readonly LogEvent[])[],
): Map<string, LoggedConversation> {
  const found = new Map<string, LoggedConversation>();
  for (const events of files) {
    for (const event of events) {
      const conversation = found.get(event.conversation) ?? emptyConversation(event.conversation);
      found.set(event.conversation, conversation);
      if (event.at !== null && event.at < (conversation.beganAt ?? Infinity)) {
        conversation.beganAt = event.at;
      }
      if (event.kind === "conversation") describe(conversation, event);
    }
  }
  return found;
}

function emptyConversation(id: string): LoggedConversation {
  return {
    id,
    session: id,
    role: "main",
    parent: null,
    clientVersion: null,
    project: null,
    projectName: null,
    isApproximate: false,
    isChild: false,
    beganAt: null,
  };
}

function describe(conversation: LoggedConversation, event: ConversationEvent): void {
  conversation.session = event.session;
  if (event.role !== null) conversation.role = event.role;
  conversation.isChild ||= event.role !== null && event.role !== "main";
  conversation.parent ??= event.parent;
  conversation.clientVersion ??= event.clientVersion;
  conversation.project ??= event.project;
  conversation.projectName ??= event.projectName ?? null;
  conversation.isApproximate ||= event.isApproximate === true;
}
