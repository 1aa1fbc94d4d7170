import {
  type ImportedCallRecord,
  type ImportedMembers,
  type ImportedRecord,
  type ToolListRecord,
  type TurnRecord,
  importedVersion,
} from "#records/record.ts";
import { type LoggedConversation } from "./log-event.ts";
import type { MergedLogs } from "./merge-logs.ts";
import {
  groupTurns,
  type ConversationTurns,
  type PlacedCall,
  type LoggedTurn,
  findFirstNotBefore,
} from "./conversation-turns.ts";
import type { LoggedToolList } from "./tool-lists.ts";
import type { Estimation } from "#tokens/cost/estimator.ts";

export type ConversationRecords = {
  readonly id: string;
  readonly lastMs: number;
  readonly records: readonly ImportedRecord[];
};

// Yields one conversation at a time: all at once would take as much memory as the logs.
export function* makeConversationRecords(
  client: string,
  logs: MergedLogs,
  utils: RecordUtils,
): Generator<ConversationRecords> {
  const lists = Map.groupBy(logs.toolLists, ({ conversation }) => conversation);
  for (const turnsAndCalls of listTurnsAndCalls(logs)) {
    const conversation = logs.conversations.get(turnsAndCalls.conversation);
    if (!conversation) continue;
    const id = makeConversationId(client, turnsAndCalls.conversation, utils);
    const subject = { client, conversation, id, utils };
    yield* makeRecords(turnsAndCalls, lists.get(turnsAndCalls.conversation) ?? [], subject);
  }
}

function* listTurnsAndCalls(logs: MergedLogs): Generator<TurnsAndCalls> {
  const withTurns = new Set<string>();
  for (const turns of groupTurns(logs)) {
    withTurns.add(turns.conversation);
    yield turns;
  }
  const callsByConversation = Map.groupBy(
    logs.calls.filter((call) => !withTurns.has(call.conversation)),
    (call) => call.conversation,
  );
  for (const [conversation, calls] of callsByConversation) {
    const callsWithoutTurn = calls.map((call) => ({ call, turn: null, readBy: null }));
    yield { conversation, turns: [], calls: callsWithoutTurn };
  }
}

type TurnsAndCalls = Omit<ConversationTurns, "calls"> & {
  readonly calls: readonly (Omit<PlacedCall, "turn"> & { readonly turn: number | null })[];
};

export type RecordUtils = {
  // Equal names give equal UUIDs.
  uuid(name: string): string;
  sha256(text: string): string;
  findEstimation(model: string | null): Estimation;
  countTokens(text: string, model: string | null): number | null;
};

type Subject = {
  readonly client: string;
  readonly conversation: LoggedConversation;
  readonly id: string;
  readonly utils: RecordUtils;
};

function makeConversationId(client: string, loggedId: string, utils: RecordUtils): string {
  return utils.uuid(`${client}\n${loggedId}`);
}

function makeRecords(
  turnsAndCalls: TurnsAndCalls,
  toolLists: readonly LoggedToolList[],
  subject: Subject,
): readonly ConversationRecords[] {
  const times = [
    subject.conversation.beganAt,
    ...turnsAndCalls.turns.map(({ at }) => at),
    ...turnsAndCalls.calls.map(({ call }) => call.at),
  ].filter((at) => at !== null);
  if (times.length === 0) return [];
  const beganMs = times.reduce((a, b) => Math.min(a, b));
  const turns = turnsAndCalls.turns.map((turn, index) => makeTurnRecord(turn, index, subject));
  const calls = makeCallRecords(turnsAndCalls.calls, beganMs, subject);
  const lists = makeToolListRecords(
    toolLists,
    { turns: turnsAndCalls.turns, beganMs, calls },
    subject,
  );
  const lastMs = times.reduce((a, b) => Math.max(a, b));
  const records = [makeConversationRecord(beganMs, subject), ...turns, ...calls, ...lists];
  return [{ id: subject.id, lastMs, records }];
}

function makeConversationRecord(beganMs: number, subject: Subject): ImportedRecord {
  const { client, conversation, id, utils } = subject;
  const { clientVersion, parent, role, project, projectName, isApproximate } = conversation;
  return {
    type: "conversation",
    ...makeCommonMembers(beganMs, 0, id, subject),
    client,
    client_version: clientVersion,
    parent: parent === null ? null : makeConversationId(client, parent, utils),
    kind: role,
    project: projectName ?? project,
    is_approximate: isApproximate,
    ...(role === "subagent" ? {} : { client_session_id_sha256: utils.sha256(conversation.id) }),
  };
}

function makeTurnRecord(turn: LoggedTurn, index: number, subject: Subject): TurnRecord {
  const { usage } = turn;
  return {
    type: "turn",
    ...makeCommonMembers(turn.at ?? 0, index + 1, subject.id, subject),
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

function makeCallRecords(
  calls: TurnsAndCalls["calls"],
  beganMs: number,
  subject: Subject,
): readonly ImportedCallRecord[] {
  const { client, utils } = subject;
  const byServer = Map.groupBy(calls, ({ call }) => call.server);
  return [...byServer].flatMap(([server, group]) => {
    const sessionId = makeSessionId(server, subject);
    return group.map(({ call, turn, readBy }, seq): ImportedCallRecord => ({
      type: "imported_call",
      ...makeCommonMembers(call.at ?? beganMs, seq, sessionId, subject),
      source: "log",
      client,
      server,
      tool: call.tool,
      method: call.method,
      outcome:
        call.outcome === "denied" || call.outcome === "unknown_tool" ? "cancelled" : call.outcome,
      call_id_sha256: utils.sha256(call.id),
      turn,
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
      ...makeEstimationFields(utils.findEstimation(call.model)),
    }));
  });
}

type ListContext = {
  readonly turns: readonly LoggedTurn[];
  readonly beganMs: number;
  readonly calls: readonly ImportedCallRecord[];
};

function makeToolListRecords(
  lists: readonly LoggedToolList[],
  context: ListContext,
  subject: Subject,
): readonly ToolListRecord[] {
  const seqs = new Map<string, number>();
  for (const { session_id: id } of context.calls) seqs.set(id, (seqs.get(id) ?? 0) + 1);
  const times = context.turns.map(({ at }) => at ?? 0);
  return lists.flatMap((list): ToolListRecord[] => {
    const { addedAt, removedAt, server } = list;
    const from = findFirstNotBefore(times, addedAt ?? context.beganMs);
    const until = removedAt === null ? times.length : findFirstNotBefore(times, removedAt);
    if (from >= until) return [];
    const session = makeSessionId(server, subject);
    const seq = seqs.get(session) ?? 0;
    seqs.set(session, seq + 1);
    const common = makeCommonMembers(addedAt ?? context.beganMs, seq, session, subject);
    return [{ ...common, ...makeListFields(list, context.turns, { from, until }, subject) }];
  });
}

type ListTurns = { readonly from: number; readonly until: number };

function makeListFields(
  { server, tools, joinedNames }: LoggedToolList,
  turns: readonly LoggedTurn[],
  { from, until }: ListTurns,
  subject: Subject,
): Omit<ToolListRecord, keyof ImportedMembers> {
  const model = turns[from]?.model ?? null;
  return {
    type: "tool_list",
    source: "log",
    client: subject.client,
    server,
    tools,
    turn: from,
    until_turn: until < turns.length ? until : null,
    model,
    // Each name takes one line of the prompt.
    tokens: subject.utils.countTokens(joinedNames.map((name) => `${name}\n`).join(""), model),
    is_estimated: true,
    ...makeEstimationFields(subject.utils.findEstimation(model)),
  };
}

function makeCommonMembers(
  atMs: number,
  seq: number,
  sessionId: string,
  { id }: Subject,
): ImportedMembers {
  return {
    schema_version: importedVersion,
    ts: new Date(atMs).toISOString(),
    session_id: sessionId,
    seq,
    conversation_id: id,
  };
}

function makeSessionId(server: string, { client, conversation, utils }: Subject): string {
  return utils.uuid(`${client}\n${conversation.id}\n${server}`);
}

function makeEstimationFields({ id, method, encoding, error, confidence }: Estimation) {
  return {
    estimator: id,
    estimation_method: method,
    estimation_encoding: encoding,
    estimation_error: error,
    confidence,
  };
}
