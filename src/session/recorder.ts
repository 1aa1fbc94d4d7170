import { backlogCharactersMax, waitingRecordsMax } from "#limits.ts";
import type { Instant } from "#calls/instant.ts";
import type { Reader } from "#cost/reader.ts";
import { type MeterRecord, type RecordBody, schemaVersion } from "#records/record.ts";
import type { Draft, Shown } from "./draft.ts";
import { draft, type DraftDeps } from "./drafting.ts";
import type { Entry } from "./entry.ts";

/** A record whose tokens are counted, before it is stamped. */
export type Finished = {
  readonly entry: Entry;
  readonly body: RecordBody;
  readonly shown: Shown | undefined;
  readonly at: Instant;
};

type Waiting = { readonly entry: Entry; readonly at: Instant };
type Counting = Waiting & {
  readonly draft: Draft;
  /** True when there was no room to hold its texts until they are counted. */
  readonly isUnread: boolean;
};

/**
 * The records of one session in the order of their causes: held back until it is known who talks to whom,
 * counted in slices, stamped with a sequence without gaps.
 */
export class Recorder {
  readonly #sessionId: string;
  readonly #deps: DraftDeps;
  readonly #sums = { calls: 0, tokens: 0 };
  #server = "";
  #reader: Reader | undefined;
  #seq = 0;
  #waiting: Waiting[] = [];
  #counting: Counting[] = [];
  #next = 0;
  #backlog = 0;

  constructor(sessionId: string, deps: DraftDeps) {
    this.#sessionId = sessionId;
    this.#deps = deps;
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  /** True when the most entries wait for the session to open that it must open as it is. */
  get isFull(): boolean {
    return this.#waiting.length >= waitingRecordsMax;
  }

  /** Characters that wait to be counted, plus one for each record that waits; 0 before the session opens. */
  get backlog(): number {
    return this.#backlog + this.#counting.length - this.#next;
  }

  /** Calls and tokens of the records stamped so far. */
  get sums(): { readonly calls: number; readonly tokens: number } {
    return this.#sums;
  }

  /** Opens the session: from now on entries are counted, for this reader. */
  open(server: string, reader: Reader): void {
    if (this.isOpen) return;
    this.#server = server;
    this.#reader = reader;
    for (const { entry, at } of this.#waiting) this.add(entry, at);
    this.#waiting = [];
  }

  add(entry: Entry, at: Instant): void {
    if (!this.#reader) {
      this.#waiting.push({ entry, at });
      return;
    }
    const drafted = draft(entry, this.#reader, this.#deps);
    const { bill } = drafted;
    const isTooMuch = this.#backlog + bill.charactersLeft > backlogCharactersMax;
    const isUnread = isTooMuch && bill.settleByLength();
    this.#backlog += bill.charactersLeft;
    this.#counting.push({ entry, at, draft: drafted, isUnread });
  }

  /** Counts about `charactersMax` characters; returns the records that this completes. */
  count(charactersMax: number): Finished[] {
    const finished: Finished[] = [];
    let left = charactersMax;
    for (let next = this.#counting[this.#next]; next && left > 0;) {
      const { bill } = next.draft;
      const before = bill.charactersLeft;
      if (before > 0) left -= bill.advance(left);
      this.#backlog -= before - bill.charactersLeft;
      if (bill.charactersLeft > 0) break;
      finished.push(completed(next, next.isUnread));
      this.#next += 1;
      next = this.#counting[this.#next];
    }
    if (this.#next === this.#counting.length) this.#forget();
    return finished;
  }

  /** Completes everything at once; uncounted text is priced by its length. */
  settle(): Finished[] {
    const finished = this.#counting.slice(this.#next).map((one) => {
      const isUnread = one.draft.bill.settleByLength() || one.isUnread;
      return completed(one, isUnread);
    });
    this.#forget();
    this.#backlog = 0;
    return finished;
  }

  /** The record with the fields that all records of the session share. */
  stamp(body: RecordBody, at: Instant): MeterRecord {
    if (body.type === "call") {
      this.#sums.calls += 1;
      this.#sums.tokens += body.total_tokens;
    }
    const seq = this.#seq;
    this.#seq += 1;
    return {
      schema_version: schemaVersion,
      ts: new Date(at.wallMs).toISOString(),
      session_id: this.#sessionId,
      seq,
      server: this.#server,
      ...body,
    };
  }

  #forget(): void {
    this.#counting = [];
    this.#next = 0;
  }
}

function completed({ entry, at, draft: drafted }: Counting, isUnread: boolean): Finished {
  return { entry, at, body: drafted.finish(isUnread), shown: drafted.shown };
}
