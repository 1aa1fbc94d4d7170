import {
  type ImportedCallRecord,
  type ImportedCommon,
  type ImportedRecord,
  type ToolListRecord,
  type TurnRecord,
  importedVersion,
  type Outcome,
} from "#records/record.ts";
import type { LoggedOutcome } from "../log-event.ts";
import type { MergedLogs } from "../merge-logs.ts";
import {
  conversationTurns,
  type ConversationTurns,
  type PlacedCall,
  type LoggedTurn,
  firstNotBefore,
} from "../turns/conversation-turns.ts";
import type { LoggedToolList } from "../tool-lists.ts";
import type { Estimation } from "#tokens/cost/estimator.ts";
import type { LoggedConversation } from "../merge-calls.ts";

export type ConversationRecords = {
  readonly id: string;
  readonly lastMs: number;
  readonly records: readonly ImportedRecord[];
};

/**
 * Ids are derived from the client's own, so that each import gives the same. Nothing without a time is recorded. One
 * conversation at a time: all together take as much memory as the logs themselves.
 */
export function* conversationRecords(
  client: string,
  logs: MergedLogs,
  tools: RecordTools,
): Generator<ConversationRecords> {
  const lists = Map.groupBy(logs.toolLists, ({ conversation }) => conversation);
  for (const found of unplacedTurns(logs)) {
    const conversation = logs.conversations.get(found.conversation);
    if (!conversation) continue;
    const id = conversationId(client, found.conversation, tools);
    const subject = { client, conversation, id, tools };
    yield* recordsOf(found, lists.get(found.conversation) ?? [], subject);
  }
}

function* unplacedTurns(logs: MergedLogs): Generator<UnplacedTurns> {
  const withTurns = new Set<string>();
  for (const turns of conversationTurns(logs)) {
    withTurns.add(turns.conversation);
    yield turns;
  }
  const others = Map.groupBy(
    logs.calls.filter((call) => !withTurns.has(call.conversation)),
    (call) => call.conversation,
  );
  for (const [conversation, calls] of others) {
    const unplaced = calls.map((call) => ({ call, asked: null, readBy: null }));
    yield { conversation, turns: [], calls: unplaced };
  }
}

/** Calls may stand in no turn. */
type UnplacedTurns = Omit<ConversationTurns, "calls"> & {
  readonly calls: readonly (Omit<PlacedCall, "asked"> & { readonly asked: number | null })[];
};

function conversationId(client: string, native: string, tools: RecordTools): string {
  return tools.uuid(`${client}\n${native}`);
}

function recordsOf(
  found: UnplacedTurns,
  toolLists: readonly LoggedToolList[],
  subject: Subject,
): readonly ConversationRecords[] {
  const times = [
    subject.conversation.beganAt,
    ...found.turns.map(({ at }) => at),
    ...found.calls.map(({ call }) => call.at),
  ].filter((at) => at !== null);
  if (times.length === 0) return [];
  const beganMs = times.reduce((least, at) => Math.min(least, at));
  const turns = found.turns.map((turn, index) => turnRecord(turn, index, subject));
  const calls = callRecords(found.calls, beganMs, subject);
  const lists = toolListRecords(toolLists, { turns: found.turns, beganMs, calls }, subject);
  const lastMs = times.reduce((most, at) => Math.max(most, at));
  const records = [conversationRecord(beganMs, subject), ...turns, ...calls, ...lists];
  return [{ id: subject.id, lastMs, records }];
}

function conversationRecord(beganMs: number, subject: Subject): ImportedRecord {
  const { client, conversation, id, tools } = subject;
  const { clientVersion, parent, role, project, isApproximate } = conversation;
  return {
    type: "conversation",
    ...commonOf(beganMs, 0, id, subject),
    client,
    client_version: clientVersion,
    parent: parent === null ? null : conversationId(client, parent, tools),
    kind: role,
    project,
    is_approximate: isApproximate,
    ...(role === "subagent" ? {} : { client_session_id_sha256: tools.sha256(conversation.id) }),
  };
}

function turnRecord(turn: LoggedTurn, index: number, subject: Subject): TurnRecord {
  const { usage } = turn;
  return {
    type: "turn",
    ...commonOf(turn.at ?? 0, index + 1, subject.id, subject),
    index,
    model: turn.model,
    uncached_tokens: usage.uncached,
    cache_read_tokens: usage.cacheRead,
    cache_write_5m_tokens: usage.cacheWrite5m,
    cache_write_1h_tokens: usage.cacheWrite1h,
    output_tokens: usage.output,
    reasoning_tokens: usage.reasoning,
    native_cost_usd: turn.nativeCost,
    after_boundary: turn.startsOver,
    is_estimated: false,
  };
}

/** Calls of each server are a separate session, in which `seq` counts. */
function callRecords(
  calls: UnplacedTurns["calls"],
  beganMs: number,
  subject: Subject,
): readonly ImportedCallRecord[] {
  const { client, tools } = subject;
  const byServer = Map.groupBy(calls, ({ call }) => call.server);
  return [...byServer].flatMap(([server, its]) => {
    const sessionId = serverSession(server, subject);
    return its.map(({ call, asked, readBy }, seq): ImportedCallRecord => ({
      type: "imported_call",
      ...commonOf(call.at ?? beganMs, seq, sessionId, subject),
      source: "log",
      client,
      server,
      tool: call.tool,
      method: call.method,
      outcome: recordedOutcome(call.outcome),
      call_id_sha256: tools.sha256(call.id),
      turn: asked,
      read_by: readBy,
      model: call.model,
      visible: call.visible,
      arguments_sha256: call.argumentsHash,
      arguments_bytes: call.argumentBytes,
      visible_bytes: call.bytes,
      images: call.images,
      input_tokens: call.argumentTokens,
      output_tokens: call.tokens,
      duration_ms: call.durationMs,
      is_estimated: true,
      ...estimationFields(tools.estimationOf(call.model)),
    }));
  });
}

function recordedOutcome(outcome: LoggedOutcome): Outcome {
  return outcome === "denied" || outcome === "unknown_tool" ? "cancelled" : outcome;
}

type ListPlace = {
  readonly turns: readonly LoggedTurn[];
  readonly beganMs: number;
  readonly calls: readonly ImportedCallRecord[];
};

/** They follow the calls in the session of their server. Each name takes a line of the prompt. */
function toolListRecords(
  lists: readonly LoggedToolList[],
  place: ListPlace,
  subject: Subject,
): readonly ToolListRecord[] {
  const seqs = new Map<string, number>();
  for (const { session_id: id } of place.calls) seqs.set(id, (seqs.get(id) ?? 0) + 1);
  const times = place.turns.map(({ at }) => at ?? 0);
  return lists.flatMap((list): ToolListRecord[] => {
    const { addedAt, removedAt, server } = list;
    const from = firstNotBefore(times, addedAt ?? place.beganMs);
    const until = removedAt === null ? times.length : firstNotBefore(times, removedAt);
    if (from >= until) return [];
    const session = serverSession(server, subject);
    const seq = seqs.get(session) ?? 0;
    seqs.set(session, seq + 1);
    const common = commonOf(addedAt ?? place.beganMs, seq, session, subject);
    return [{ ...common, ...listFields(list, place.turns, { from, until }, subject) }];
  });
}

type ListTurns = { readonly from: number; readonly until: number };

function listFields(
  { server, tools: names, names: joined }: LoggedToolList,
  turns: readonly LoggedTurn[],
  { from, until }: ListTurns,
  { client, tools }: Subject,
): Omit<ToolListRecord, keyof ImportedCommon> {
  const model = turns[from]?.model ?? null;
  return {
    type: "tool_list",
    source: "log",
    client,
    server,
    tools: names,
    turn: from,
    until_turn: until < turns.length ? until : null,
    model,
    tokens: tools.countTokens(joined.map((name) => `${name}\n`).join(""), model),
    is_estimated: true,
    ...estimationFields(tools.estimationOf(model)),
  };
}

export type RecordTools = {
  /** The same UUID for the same name, always. */
  uuid(name: string): string;
  sha256(text: string): string;
  estimationOf(model: string | null): Estimation;
  countTokens(text: string, model: string | null): number | null;
};

type Subject = {
  readonly client: string;
  readonly conversation: LoggedConversation;
  readonly id: string;
  readonly tools: RecordTools;
};

function commonOf(atMs: number, seq: number, sessionId: string, { id }: Subject): ImportedCommon {
  return {
    schema_version: importedVersion,
    ts: new Date(atMs).toISOString(),
    session_id: sessionId,
    seq,
    conversation_id: id,
  };
}

/** Each server of a conversation is a separate session. */
function serverSession(server: string, { client, conversation, tools }: Subject): string {
  return tools.uuid(`${client}\n${conversation.id}\n${server}`);
}

function estimationFields({ id, method, encoding, error, confidence }: Estimation) {
  return {
    estimator: id,
    estimation_method: method,
    estimation_encoding: encoding,
    estimation_error: error,
    confidence,
  };
}
