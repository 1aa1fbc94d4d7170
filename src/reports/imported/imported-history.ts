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

/** Gathers imported records of any number of files, in any order, each any number of times. */
export class ImportedHistory {
  readonly #conversations = new Map<string, ImportedConversation>();
  readonly #instants = new InstantReader();
  readonly #names = new SharedNames();
  #calls = 0;
  #turns = 0;
  #lists = 0;
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
    if (record.type === "conversation") conversation.record = record;
    else if (record.type === "turn") this.#addTurn(conversation, record);
    else if (record.type === "tool_list") this.#addList(conversation, record);
    else this.#addCall(conversation, record);
    return true;
  }

  #addTurn({ turns }: ImportedConversation, turn: TurnRecord): void {
    if (turns.has(turn.index)) return;
    if (this.#turns >= importedTurnsMax) {
      this.#leftOut += 1;
      return;
    }
    this.#turns += 1;
    turns.set(turn.index, turn);
  }

  #addCall({ calls }: ImportedConversation, call: ImportedCallRecord): void {
    const key = `${call.session_id} ${call.seq}`;
    if (calls.has(key)) return;
    if (this.#calls >= importedCallsMax) {
      this.#leftOut += 1;
      return;
    }
    this.#calls += 1;
    calls.set(key, call);
  }

  #addList({ lists }: ImportedConversation, list: ToolListRecord): void {
    const key = `${list.session_id} ${list.seq}`;
    if (lists.has(key)) return;
    if (this.#lists >= importedListsMax) {
      this.#leftOut += 1;
      return;
    }
    this.#lists += 1;
    lists.set(key, { ...list, tools: this.#names.one(list.tools) });
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
