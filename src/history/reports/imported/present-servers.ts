import type { HeldDefinitions } from "#records/money/turns/cost-parts.ts";
import { estimationOf } from "#records/certainty.ts";
import type { ImportedCallRecord, ToolListRecord } from "#records/imported-record.ts";
import type { CallRecord } from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { SessionList } from "../session-state.ts";
import type { ImportedConversation } from "./imported-history.ts";
import type { KnownDefinitions } from "./known-definitions.ts";

export const rentedServersMax = 200;

export type PresentServer = {
  readonly server: string;
  readonly sessionId: string;
  readonly held: readonly HeldDefinitions[] | undefined;
  readonly estimation: SummaryEstimation | null;
};

export type PresenceFacts = {
  readonly known: KnownDefinitions;
  readonly pairs: ReadonlyMap<ImportedCallRecord, CallRecord>;
  readonly placeOf: (index: number) => number;
};

/** Servers that ran behind mcp-meter, that the log lists, or that were called. Definitions of that session, else names in the log, else another session's. */
export function presentServers(
  conversation: ImportedConversation,
  { known, pairs, placeOf }: PresenceFacts,
): readonly PresentServer[] {
  const { record } = conversation;
  const own = known.ofSession(record?.client_session_id_sha256);
  const lists = Map.groupBy(conversation.lists.values(), ({ server }) => server);
  const calls = new Map(
    [...conversation.calls.values()].map((call) => [pairs.get(call)?.server ?? call.server, call]),
  );
  const servers = new Set([...own.keys(), ...lists.keys(), ...calls.keys()]);
  return [...servers].slice(0, rentedServersMax).flatMap((server): PresentServer[] => {
    const ran = own.get(server);
    if (ran) return [{ server, sessionId: ran.session.id, ...heldList(ran) }];
    const [list] = lists.get(server) ?? [];
    if (list) return [namedServer(list, lists.get(server) ?? [], placeOf)];
    const call = calls.get(server);
    if (!call) return [];
    const other = known.ofServer(server, call.client);
    const found = other ? heldList(other) : { held: undefined, estimation: estimationOf(call) };
    return [{ server, sessionId: pairs.get(call)?.session_id ?? call.session_id, ...found }];
  });
}

function heldList({ tokens, session }: SessionList): Pick<PresentServer, "held" | "estimation"> {
  return { held: [{ tokens, from: 0 }], estimation: session.estimation };
}

function namedServer(
  first: ToolListRecord,
  lists: readonly ToolListRecord[],
  placeOf: PresenceFacts["placeOf"],
): PresentServer {
  const isCounted = lists.some(({ tokens }) => tokens !== null);
  const held = lists.map(({ tokens, turn, until_turn: until }): HeldDefinitions => {
    const span = { tokens: tokens ?? 0, from: placeOf(turn) };
    return until === null ? span : { ...span, until: placeOf(until) };
  });
  return {
    server: first.server,
    sessionId: first.session_id,
    held: isCounted ? held : undefined,
    estimation: estimationOf(first),
  };
}
