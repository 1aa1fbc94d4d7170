import type {
  ConversationRecord,
  ImportedCallRecord,
  ImportedRecord,
  ToolListRecord,
  TurnRecord,
} from "#records/record.ts";
import { InstantReader } from "../calendar.ts";
import type { SessionListing } from "../session-state.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";

// Half a million calls take about 200 MB.
export const importedCallsMax = 500_000;

const importedTurnsMax = 1_000_000;

const importedListsMax = 100_000;

export type ImportedConversation = {
  record: ConversationRecord | undefined;
  readonly turns: Map<number, TurnRecord>;
  readonly calls: Map<string, ImportedCallRecord>;
  readonly lists: Map<string, ToolListRecord>;
};

type CountedKind = "calls" | "turns" | "lists";

const maxCounts: { readonly [kind in CountedKind]: number } = {
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

  *listCalls(): Generator<ImportedCallRecord> {
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
    this.#addRecord(conversation, record);
    return true;
  }

  #addRecord(conversation: ImportedConversation, record: ImportedRecord): void {
    const key = `${record.session_id} ${record.seq}`;
    switch (record.type) {
      case "conversation":
        conversation.record = record;
        return;
      case "turn":
        return this.#addUnique(conversation.turns, record.index, record, "turns");
      case "tool_list": {
        const list = { ...record, tools: this.#names.share(record.tools) };
        return this.#addUnique(conversation.lists, key, list, "lists");
      }
      case "imported_call":
        return this.#addUnique(conversation.calls, key, record, "calls");
    }
  }

  #addUnique<Key, Value>(
    records: Map<Key, Value>,
    key: Key,
    record: Value,
    kind: CountedKind,
  ): void {
    if (records.has(key)) return;
    if (this.#counts[kind] >= maxCounts[kind]) {
      this.#leftOut += 1;
      return;
    }
    this.#counts[kind] += 1;
    records.set(key, record);
  }
}

class SharedNames {
  readonly #known = new Map<string, readonly string[]>();

  share(names: readonly string[]): readonly string[] {
    const key = JSON.stringify(names);
    const shared = this.#known.get(key) ?? names;
    this.#known.set(key, shared);
    return shared;
  }
}

export class KnownDefinitions {
  readonly #bySession = new Map<string, Map<string, SessionListing>>();
  // By client, because two clients may use one name for different servers.
  readonly #byClient = new Map<string, Map<string, SessionListing>>();

  constructor(lists: Iterable<SessionListing>) {
    for (const list of lists) {
      const { server, session, clientSession } = list;
      if (session.client !== null)
        keepNewest(this.#byClient, [makeClientKey(session.client), server], list);
      if (clientSession !== undefined) keepNewest(this.#bySession, [clientSession, server], list);
    }
  }

  findBySession(clientSession: string | undefined): ReadonlyMap<string, SessionListing> {
    return this.#bySession.get(clientSession ?? "") ?? new Map<string, SessionListing>();
  }

  findByClient(client: string, server: string): SessionListing | undefined {
    return this.#byClient.get(makeClientKey(client))?.get(server);
  }
}

function keepNewest(
  lists: Map<string, Map<string, SessionListing>>,
  [groupKey, listKey]: readonly [string, string],
  list: SessionListing,
): void {
  const group = lists.get(groupKey) ?? new Map<string, SessionListing>();
  lists.set(groupKey, group);
  group.set(listKey, pickNewer(group.get(listKey), list));
}

// At equal times the larger list wins, so that the order of files does not matter.
function pickNewer(a: SessionListing | undefined, b: SessionListing): SessionListing {
  if (!a || a.ms < b.ms) return b;
  return a.ms === b.ms && a.tokens < b.tokens ? b : a;
}

export function makeClientKey<Name extends string | null>(name: Name): string | Name {
  return name === null ? name : nameClient(name).toLowerCase();
}
