import type { LogEvent, ToolEndEvent, ToolResultEvent, ToolUseEvent } from "./log-event.ts";
import { NameSplitter, type ServerTool } from "./split-tool-names.ts";

export const statedServersMax = 200;

export type LoggedCall = ServerTool &
  CallRequest &
  Pick<ToolResultEvent, "id" | "outcome" | "visible" | "bytes" | "tokens" | "images"> & {
    readonly durationMs: number | null;
    readonly answeredAt: number | null;
  };

type MergedCalls = { readonly calls: readonly LoggedCall[]; readonly unknownServerCalls: number };

type CallEvents = { use?: ToolUseEvent; result?: ToolResultEvent; end?: ToolEndEvent };

export function mergeCalls(
  events: readonly LogEvent[],
  knownServers: readonly string[],
): MergedCalls {
  const eventsById = groupById(events);
  const calls: LoggedCall[] = [];
  let unknownServerCalls = 0;
  const stated = listStatedServers([...eventsById.values()]);
  const names = new NameSplitter([...new Set([...knownServers, ...stated])]);
  for (const [id, callEvents] of eventsById) {
    const name = callEvents.end?.name ?? callEvents.use?.name;
    if (name === undefined) continue;
    const serverTool = names.split(name);
    const call = serverTool && makeCall(id, callEvents, serverTool);
    if (call) calls.push(call);
    else unknownServerCalls += 1;
  }
  calls.sort((a, b) => (a.at ?? 0) - (b.at ?? 0) || (a.id < b.id ? -1 : 1));
  return { calls, unknownServerCalls };
}

// Some calls state their server. These servers help to split the joined names (server and tool) of other calls.
function listStatedServers(calls: readonly CallEvents[]): readonly string[] {
  const servers = new Set<string>();
  for (const { use, end } of calls) {
    for (const name of [use?.name, end?.name]) {
      if (servers.size >= statedServersMax) return [...servers];
      if (name && "server" in name) servers.add(name.server);
    }
  }
  return [...servers];
}

function groupById(events: readonly LogEvent[]): ReadonlyMap<string, CallEvents> {
  const groups = new Map<string, CallEvents>();
  const findGroup = (id: string): CallEvents => {
    const group = groups.get(id) ?? {};
    groups.set(id, group);
    return group;
  };
  for (const event of events) {
    if (event.kind === "tool_use") findGroup(event.id).use ??= event;
    else if (event.kind === "tool_result") addResult(findGroup(event.id), event);
    else if (event.kind === "tool_end") findGroup(event.id).end ??= event;
  }
  return groups;
}

function addResult(callEvents: CallEvents, event: ToolResultEvent): void {
  if (!callEvents.result || callEvents.result.visible === "none") callEvents.result = event;
}

// Avoids spread syntax, because objects with a fixed shape take half the memory.
function makeCall(
  id: string,
  callEvents: CallEvents,
  { server, tool }: ServerTool,
): LoggedCall | undefined {
  const request = findRequest(callEvents);
  if (!request) return undefined;
  const { outcome, durationMs, answeredAt } = pickOutcome(callEvents);
  const answer = pickAnswer(callEvents);
  return {
    id,
    server,
    tool,
    method: request.method,
    outcome,
    visible: answer.visible,
    at: request.at,
    conversation: request.conversation,
    model: request.model,
    message: request.message,
    argumentBytes: request.argumentBytes,
    argumentTokens: request.argumentTokens,
    argumentsHash: request.argumentsHash,
    bytes: answer.bytes,
    tokens: answer.tokens,
    images: answer.images,
    durationMs,
    answeredAt,
  };
}

type CallRequest = Omit<ToolUseEvent, "kind" | "id" | "name" | "isSideChain">;

function findRequest({ use, end }: CallEvents): CallRequest | undefined {
  if (use) return use;
  return end && { ...end, model: null, message: null };
}

// The client's end event says more about the outcome than the text that the model read.
function pickOutcome({
  result,
  end,
}: CallEvents): Pick<LoggedCall, "outcome" | "durationMs" | "answeredAt"> {
  return {
    outcome: (end ?? result)?.outcome ?? "abandoned",
    durationMs: end?.durationMs ?? null,
    answeredAt: (result ?? end)?.at ?? null,
  };
}

// In Codex's code mode, the model's script makes the call, and only an end event is logged. No event shows how much of
// the answer the model read.
function pickAnswer({
  use,
  result,
}: CallEvents): Pick<LoggedCall, "visible" | "bytes" | "tokens" | "images"> {
  if (result) {
    const { visible, bytes, tokens, images } = result;
    return { visible, bytes, tokens, images };
  }
  return { visible: use ? "none" : "unknown", bytes: null, tokens: null, images: 0 };
}
