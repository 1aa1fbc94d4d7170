import type { Instant, Call, Closing } from "../calls/call.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import {
  type CommonMembers,
  type MeterRecord,
  type RecordBody,
  schemaVersion,
  type DefinitionsRecord,
} from "#records/record.ts";
import { type Draft, type Shown, type CallDraftDeps, draftCall } from "./call-draft.ts";
import { readMember, type JsonObject, canonicalizeJson } from "#wire/json.ts";
import { emptyBill } from "#tokens/cost/bill.ts";
import { type DefinitionDeps, readDefinitionName } from "#tokens/cost/count-definition.ts";
import { ListChanges } from "./list-changes.ts";
import { draftDefinitions, type ListedDefinitions } from "#tokens/cost/add-up-definitions.ts";
import type { ListState } from "#tokens/cost/tool-list.ts";

// In an open session, further messages wait while the uncounted records exceed this size.
// A session opens at the latest when its waiting records exceed this size.
export const backlogBytesMax = 8 * 1024 * 1024;

// Memory of a waiting record without its texts. Measured with 100,000 records.
export const waitingRecordBytes = 2 * 1024;

export const waitingRecordsMax = 64;

export type Finished = {
  readonly cause: Cause;
  readonly record: MeterRecord;
  readonly shown: Shown | undefined;
  readonly at: Instant;
};

type Waiting = { readonly entry: Entry; readonly at: Instant };
type Counting = {
  readonly cause: Cause;
  readonly at: Instant;
  readonly draft: Draft;
  readonly bytes: number;
  characters: number; // this record's part of the backlog
};

/** Keeps records until it is opened, then counts them in slices and numbers them. */
export class Recorder {
  readonly #sessionId: string;
  readonly #deps: DraftDeps;
  readonly #sums = { calls: 0, tokens: 0 };
  #server = "";
  #reader: Reader | undefined;
  #recordCount = 0;
  // Caches the last timestamp: consecutive records often share it.
  #lastStamp = { wallMs: Number.NaN, ts: "" };
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  readonly #counting = new Fifo<Counting>();
  readonly #listChanges = new ListChanges();
  #pending: Waiting | undefined; // the newest entry, not drafted yet
  #countingCharacters = 0;
  #countingBytes = 0;

  constructor(sessionId: string, deps: DraftDeps) {
    this.#sessionId = sessionId;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  get isWaitingListFull(): boolean {
    return this.#waiting.length >= waitingRecordsMax || this.#waitingBytes > backlogBytesMax;
  }

  get isCountingBehind(): boolean {
    return this.#countingBytes > backlogBytesMax;
  }

  // Characters waiting to be counted, plus one per record; 0 before the session opens.
  get backlog(): number {
    return this.#countingCharacters + this.#counting.size + (this.#pending ? 1 : 0);
  }

  get recordCount(): number {
    return this.#recordCount;
  }

  get sums(): { readonly calls: number; readonly tokens: number } {
    return this.#sums;
  }

  open(server: string, reader: Reader): void {
    if (this.isOpen) return;
    this.#server = server;
    this.#reader = reader;
    for (const { entry, at } of this.#waiting) this.add(entry, at);
    this.#waiting = [];
    this.#waitingBytes = 0;
  }

  changeReader(reader: Reader): boolean {
    this.draftPending();
    const hasNewProfile = this.#reader?.profile !== reader.profile;
    this.#reader = reader;
    return hasNewProfile;
  }

  // In an open session, drafts the new entry later: drafting a call now could delay the call's answer to the client.
  add(entry: Entry, at: Instant): void {
    if (this.isOpen) {
      this.draftPending();
      this.#pending = { entry, at };
      return;
    }
    this.#waiting.push({ entry, at });
    this.#waitingBytes += waitingRecordBytes + countWireBytes(entry);
  }

  draftPending(): void {
    if (!this.#pending || !this.#reader) return;
    const { entry, at } = this.#pending;
    this.#pending = undefined;
    const drafted = draftEntry(entry, this.#reader, this.#deps);
    const { charactersLeft } = drafted.bill;
    const deferredBytes = drafted.isDeferred ? countWireBytes(entry) : 0;
    const bytes = estimateHeldBytes(entry, charactersLeft) + deferredBytes;
    this.#countingCharacters += charactersLeft;
    this.#countingBytes += bytes;
    this.#counting.push({
      cause: toCause(entry),
      at,
      draft: drafted,
      bytes,
      characters: charactersLeft,
    });
  }

  countSlice(charactersMax: number, onFinished: (finished: Finished) => void): void {
    if (charactersMax > 0) this.draftPending();
    let remaining = charactersMax;
    for (let next = this.#counting.first; next && remaining > 0; next = this.#counting.first) {
      remaining -= this.#advance(next, remaining);
      if (next.draft.bill.charactersLeft > 0) break;
      this.#remove();
      onFinished(this.#finish(next, false));
    }
  }

  settle(onFinished: (finished: Finished) => void): void {
    this.draftPending();
    for (let next = this.#counting.first; next; next = this.#counting.first) {
      this.#remove();
      onFinished(this.#finish(next, next.draft.bill.settleByLength()));
    }
  }

  stamp(body: RecordBody, at: Instant): MeterRecord {
    return this.#register({ ...this.#makeCommon(at), ...body });
  }

  #makeCommon({ wallMs }: Instant): CommonMembers {
    if (wallMs !== this.#lastStamp.wallMs) {
      this.#lastStamp = { wallMs, ts: new Date(wallMs).toISOString() };
    }
    return {
      schema_version: schemaVersion,
      ts: this.#lastStamp.ts,
      session_id: this.#sessionId,
      seq: this.#recordCount,
      server: this.#server,
    };
  }

  #register(record: MeterRecord): MeterRecord {
    this.#recordCount += 1;
    if (record.type === "call") {
      this.#sums.calls += 1;
      this.#sums.tokens += record.total_tokens;
    }
    return record;
  }

  #advance(counting: Counting, charactersMax: number): number {
    const { bill } = counting.draft;
    if (bill.charactersLeft === 0) return 0;
    try {
      const done = bill.advance(charactersMax);
      this.#countingCharacters += bill.charactersLeft - counting.characters;
      counting.characters = bill.charactersLeft;
      return done;
    } catch (error) {
      this.#remove();
      throw error;
    }
  }

  #finish({ cause, at, draft: drafted }: Counting, isEstimatedByLength: boolean): Finished {
    const record = drafted.finish(this.#makeCommon(at), isEstimatedByLength);
    const annotated = this.#noteListChange(record, cause, at);
    return { cause, at, record: this.#register(annotated), shown: drafted.shown };
  }

  // Skips stateless calls, because they may come from several conversations.
  #noteListChange(record: MeterRecord, cause: Cause, { monoMs }: Instant): MeterRecord {
    if (!this.#reader || (cause.kind === "call" && cause.call.exchange?.isStateless)) return record;
    const { profile, windowTokens } = this.#reader;
    return this.#listChanges.annotate(record, monoMs, { rules: profile.definitions, windowTokens });
  }

  // Called before the draft is finished: a draft that fails must not block the queue.
  #remove(): void {
    const removed = this.#counting.shift();
    this.#countingBytes -= removed?.bytes ?? 0;
    this.#countingCharacters -= removed?.characters ?? 0;
  }
}

// Assumes two bytes per character, although a Latin-1 text needs only one.
function estimateHeldBytes(entry: Entry, charactersLeft: number): number {
  const input = entry.kind === "call" ? entry.call.request.input : [];
  const characters = input.reduce((sum, text) => sum + text.length, 0);
  return waitingRecordBytes + 2 * Math.max(charactersLeft, characters);
}

function countWireBytes(entry: Entry): number {
  return entry.kind === "call" ? entry.call.inputBytes + entry.call.outputBytes : 0;
}

// JSON-RPC's own errors: parse error, invalid request, method not found, invalid params.
const neverRunCodes: ReadonlySet<unknown> = new Set([-32_700, -32_600, -32_601, -32_602]);

function toCause(entry: Entry): Cause {
  if (entry.kind !== "call") return { kind: entry.kind };
  const didRun = !neverRunCodes.has(readMember(entry.closing.error, "code"));
  return { kind: "call", call: entry.call, didRun };
}

const emptySlotsMax = 1_024;

// Clears the slot of each item that leaves, because the array would otherwise keep the item in memory.
class Fifo<T extends object> {
  #items: (T | undefined)[] = [];
  #start = 0;

  get size(): number {
    return this.#items.length - this.#start;
  }

  get first(): T | undefined {
    return this.#items[this.#start];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#start];
    if (!item) return undefined;
    this.#items[this.#start] = undefined;
    this.#start += 1;
    if (this.#start === this.#items.length || this.#start === emptySlotsMax) {
      this.#items.splice(0, this.#start);
      this.#start = 0;
    }
    return item;
  }
}

type DraftDeps = CallDraftDeps & DefinitionDeps;

function draftEntry(entry: Entry, reader: Reader, deps: DraftDeps): Draft {
  switch (entry.kind) {
    case "call":
      return draftCall(entry.call, entry.closing, reader, deps);
    case "definitions": {
      const { list, instructions } = entry;
      const { bill, finish } = draftDefinitions(list, instructions, reader, deps);
      return {
        bill,
        finish: (common, isEstimatedByLength) => ({
          ...common,
          type: "definitions",
          ...finish(isEstimatedByLength),
          list_state: list.state,
          ...describeAppOnlyTools(list.appOnlyTools, deps),
        }),
      };
    }
    case "body":
      return { bill: emptyBill, finish: (common) => ({ ...common, ...entry.body }) };
  }
}

function describeAppOnlyTools(
  tools: readonly JsonObject[],
  { hash }: DefinitionDeps,
): Pick<DefinitionsRecord, "view_tools"> {
  if (tools.length === 0) return {};
  return {
    view_tools: tools.map((tool) => ({
      name: readDefinitionName(tool),
      sha256: hash(canonicalizeJson(tool)),
    })),
  };
}

export type Entry =
  | { readonly kind: "call"; readonly call: Call; readonly closing: Closing }
  | {
      readonly kind: "definitions";
      readonly list: ListedDefinitions & {
        readonly state: ListState;
        readonly appOnlyTools: readonly JsonObject[];
      };
      readonly instructions: string | undefined;
    }
  | { readonly kind: "body"; readonly body: RecordBody };

export type Cause =
  | { readonly kind: "call"; readonly call: Call; readonly didRun: boolean }
  | { readonly kind: "definitions" }
  | { readonly kind: "body" };
