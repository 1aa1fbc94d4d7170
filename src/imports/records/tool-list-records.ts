import type {
  ImportedCallRecord,
  ImportedCommon,
  ToolListRecord,
} from "#records/imported-record.ts";
import type { LoggedToolList } from "../tool-lists.ts";
import type { LoggedTurn } from "../turns/logged-turn.ts";
import { firstNotBefore } from "../turns/place.ts";
import { commonOf, estimationFields, serverSession, type Subject } from "./record-subject.ts";

type ListPlace = {
  readonly turns: readonly LoggedTurn[];
  readonly beganMs: number;
  readonly calls: readonly ImportedCallRecord[];
};

/** They follow the calls in the session of their server. Each name takes a line of the prompt. */
export function toolListRecords(
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
