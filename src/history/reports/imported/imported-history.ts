import type {
  ConversationRecord,
  ImportedCallRecord,
  ImportedRecord,
  ToolListRecord,
  TurnRecord,
} from "#records/record.ts";
import { InstantReader } from "../calendar.ts";
import type { SessionList } from "../session-state.ts";
import { findKnownProfile } from "#tokens/cost/clients/index.ts";

// Half a million take some 200 MB.
export const importedCallsMax = 500_000;

const importedTurnsMax = 1_000_000;

// Each has the tool names of one server.
const importedListsMax = 100_000;

export type ImportedConversation = {
  record: ConversationRecord | undefined;
  readonly turns: Map<number, TurnRecord>;
  readonly calls: Map<string, ImportedCallRecord>;
  readonly lists: Map<string, ToolListRecord>;
};

type Kind = "calls" | "turns" | "lists";

const mostOf: { readonly [kind in Kind]: number } = {
  calls: importedCallsMax,
  turns: importedTurnsMax,
  lists: importedListsMax,
};

export class ImportedHistory {
  readonly #conversations = new Map<string, ImportedConversation>();
  readonly #instants = new InstantReader();
  readonly #names = new SharedNames();
  readonly #counts = { calls: 0, turns: 0, lists: 0 };
  #leftOut = 0;

  get conversations(): ReadonlyMap<string, ImportedConversation> {
    return this.#conversations;
  }

  get leftOut(): number {
    return this.#leftOut;
  }

  get isEmpty(): boolean {
    return this.#conversations.size === 0;
  }

  *calls(): Generator<ImportedCallRecord> {
    for (const { calls } of this.#conversations.values()) yield* calls.values();
  }

  add(record: ImportedRecord): boolean {
    if (Number.isNaN(this.#instants.read(record.ts))) return false;
    const { conversation_id: id } = record;
    const conversation = this.#conversations.get(id) ?? {
      record: undefined,
      turns: new Map(),
      calls: new Map(),
      lists: new Map(),
    };
    this.#conversations.set(id, conversation);
    this.#addTo(conversation, record);
    return true;
  }

  #addTo(conversation: ImportedConversation, record: ImportedRecord): void {
    const key = `${record.session_id} ${record.seq}`;
    switch (record.type) {
      case "conversation":
        conversation.record = record;
        return;
      case "turn":
        return this.#keep(conversation.turns, record.index, record, "turns");
      case "tool_list": {
        const list = { ...record, tools: this.#names.one(record.tools) };
        return this.#keep(conversation.lists, key, list, "lists");
      }
      case "imported_call":
        return this.#keep(conversation.calls, key, record, "calls");
    }
  }

  #keep<Key, Kept>(all: Map<Key, Kept>, key: Key, kept: Kept, kind: Kind): void {
    if (all.has(key)) return;
    if (this.#counts[kind] >= mostOf[kind]) {
      this.#leftOut += 1;
      return;
    }
    this.#counts[kind] += 1;
    all.set(key, kept);
  }
}

/** Conversations mostly have the same lists, which are kept once. */
class SharedNames {
  readonly #known = new Map<string, readonly string[]>();

  one(names: readonly string[]): readonly string[] {
    const key = JSON.stringify(names);
    const known = this.#known.get(key) ?? names;
    this.#known.set(key, known);
    return known;
  }
}

export class KnownDefinitions {
  readonly #own = new Map<string, Map<string, SessionList>>();
  readonly #lists = new Map<string, Map<string, SessionList>>();

  constructor(lists: Iterable<SessionList>) {
    for (const list of lists) {
      const { server, session, clientSession } = list;
      keepNewest(this.#lists, [server, session.client ?? ""], list);
      if (clientSession !== undefined) keepNewest(this.#own, [clientSession, server], list);
    }
  }

  ofSession(clientSession: string | undefined): ReadonlyMap<string, SessionList> {
    return this.#own.get(clientSession ?? "") ?? new Map<string, SessionList>();
  }

  ofServer(server: string, client: string): SessionList | undefined {
    const lists = [...(this.#lists.get(server)?.values() ?? [])];
    const key = clientKey(client);
    const its = lists.filter(({ session }) => clientKey(session.client) === key);
    return (its.length > 0 ? its : lists).reduce(newer, undefined);
  }
}

function keepNewest(
  lists: Map<string, Map<string, SessionList>>,
  [outer, inner]: readonly [string, string],
  list: SessionList,
): void {
  const its = lists.get(outer) ?? new Map<string, SessionList>();
  lists.set(outer, its);
  its.set(inner, newer(its.get(inner), list));
}

/** Of equal times the larger one, so that the order of files does not matter. */
function newer(one: SessionList | undefined, other: SessionList): SessionList {
  if (!one || one.ms < other.ms) return other;
  return one.ms === other.ms && one.tokens < other.tokens ? other : one;
}

/** `qwen-cli-mcp-client`, its name for servers, and `qwen-code`, its name in logs, are one client. */
export function clientKey(name: string | null): string | null {
  if (name === null) return null;
  return findKnownProfile(name)?.names[0] ?? name.toLowerCase();
}
