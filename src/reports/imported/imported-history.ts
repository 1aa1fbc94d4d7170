import { importedCallsMax, importedListsMax, importedTurnsMax } from "#limits/records.ts";
import type {
  ConversationRecord,
  ImportedCallRecord,
  ImportedRecord,
  ToolListRecord,
  TurnRecord,
} from "#records/imported-record.ts";
import { InstantReader } from "../instant.ts";

/** One imported conversation, its records each once. */
export type ImportedConversation = {
  record: ConversationRecord | undefined;
  /** By index. */
  readonly turns: Map<number, TurnRecord>;
  /** By session and sequence. */
  readonly calls: Map<string, ImportedCallRecord>;
  readonly lists: Map<string, ToolListRecord>;
};

/** The records of which a limited number is held. */
type Kind = "calls" | "turns" | "lists";

const mostOf: { readonly [kind in Kind]: number } = {
  calls: importedCallsMax,
  turns: importedTurnsMax,
  lists: importedListsMax,
};

/** Gathers imported records of any number of files, in any order, each any number of times. */
export class ImportedHistory {
  readonly #conversations = new Map<string, ImportedConversation>();
  readonly #instants = new InstantReader();
  readonly #names = new SharedNames();
  readonly #counts = { calls: 0, turns: 0, lists: 0 };
  #leftOut = 0;

  get conversations(): ReadonlyMap<string, ImportedConversation> {
    return this.#conversations;
  }

  /** Records for which there was no room; they are in no number. */
  get leftOut(): number {
    return this.#leftOut;
  }

  get isEmpty(): boolean {
    return this.#conversations.size === 0;
  }

  *calls(): Generator<ImportedCallRecord> {
    for (const { calls } of this.#conversations.values()) yield* calls.values();
  }

  /** False for a record whose time cannot be read: it is in no period. */
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

/** Equal lists of names, kept once: conversations mostly have the same ones. */
class SharedNames {
  readonly #known = new Map<string, readonly string[]>();

  one(names: readonly string[]): readonly string[] {
    const key = JSON.stringify(names);
    const known = this.#known.get(key) ?? names;
    this.#known.set(key, known);
    return known;
  }
}
