import type { Instant } from "#calls/instant.ts";
import { backlogCharactersMax, waitingRecordsMax } from "#limits.ts";
import type { Draft } from "./draft.ts";
import type { Reader } from "#cost/reader.ts";
import { schemaVersion, type MeterRecord, type RecordBody } from "#records/record.ts";

/** Makes a draft, or a record that needs no counting, once it is known who reads. */
export type Making = (reader: Reader) => Draft | RecordBody;

type Waiting = { readonly at: Instant; readonly make: Making };
type Counted = {
  readonly at: Instant;
  readonly draft: Draft;
  /** True when there was no room to hold its texts until they are counted. */
  readonly isUnread: boolean;
};

/**
 * The records of one session in the order their causes ended: held back until it is known who talks to
 * whom, counted in slices, stamped with a sequence without gaps.
 */
export class Recorder {
  readonly #sessionId: string;
  #server: string;
  #reader: Reader | undefined;
  #seq = 0;
  #waiting: Waiting[] = [];
  #counting: Counted[] = [];
  #next = 0;
  #backlog = 0;
  #ready: MeterRecord[] = [];

  constructor(sessionId: string, server: string) {
    this.#sessionId = sessionId;
    this.#server = server;
  }

  get isOpen(): boolean {
    return this.#reader !== undefined;
  }

  /** True when so much waits for the session to open that it must open as it is. */
  get isFull(): boolean {
    return this.#waiting.length >= waitingRecordsMax;
  }

  /** True when something is recorded, be it still uncounted. */
  get hasBegun(): boolean {
    return this.isOpen || this.#waiting.length > 0;
  }

  /** Characters that wait to be counted, plus one for each record that waits. */
  get backlog(): number {
    return this.#backlog + this.#counting.length - this.#next;
  }

  /** Opens the session: from now on records come out, the session's own first. */
  open(server: string, reader: Reader, session: RecordBody, at: Instant): void {
    if (this.isOpen) return;
    this.#server = server;
    this.#reader = reader;
    this.#stamp(session, at);
    for (const { make, at: then } of this.#waiting) this.add(make, then);
    this.#waiting = [];
  }

  add(make: Making, at: Instant): void {
    if (!this.#reader) {
      this.#waiting.push({ make, at });
      return;
    }
    const made = make(this.#reader);
    const draft = "bill" in made ? made : finished(made);
    const isTooMuch = this.#backlog + draft.bill.charactersLeft > backlogCharactersMax;
    const isUnread = isTooMuch && draft.bill.settleByLength();
    this.#backlog += draft.bill.charactersLeft;
    this.#counting.push({ at, draft, isUnread });
  }

  /** Counts about `charactersMax` characters; returns the records that are complete. */
  work(charactersMax: number): MeterRecord[] {
    let left = charactersMax;
    for (let entry = this.#counting[this.#next]; entry && left > 0;) {
      const before = entry.draft.bill.charactersLeft;
      left -= entry.draft.bill.advance(left);
      this.#backlog -= before - entry.draft.bill.charactersLeft;
      if (entry.draft.bill.charactersLeft > 0) break;
      this.#complete(entry);
      this.#next += 1;
      entry = this.#counting[this.#next];
    }
    if (this.#next === this.#counting.length) {
      this.#counting = [];
      this.#next = 0;
    }
    return this.#take();
  }

  /** Completes everything at once, what is not counted yet by its length. */
  settle(): MeterRecord[] {
    for (const entry of this.#counting.slice(this.#next)) {
      const isUnread = entry.draft.bill.settleByLength() || entry.isUnread;
      this.#complete({ ...entry, isUnread });
    }
    this.#counting = [];
    this.#next = 0;
    this.#backlog = 0;
    return this.#take();
  }

  #complete({ draft, at, isUnread }: Counted): void {
    const body = draft.finish(isUnread);
    this.#stamp(body, at);
    for (const following of draft.follow?.(body) ?? []) this.#stamp(following, at);
  }

  #take(): MeterRecord[] {
    const ready = this.#ready;
    if (ready.length > 0) this.#ready = [];
    return ready;
  }

  #stamp(body: RecordBody, at: Instant): void {
    this.#ready.push({
      schema_version: schemaVersion,
      ts: new Date(at.wallMs).toISOString(),
      session_id: this.#sessionId,
      seq: this.#seq,
      server: this.#server,
      ...body,
    } as MeterRecord);
    this.#seq += 1;
  }
}

function finished(body: RecordBody): Draft {
  const bill = { charactersLeft: 0, advance: () => 0, settleByLength: () => false };
  return { bill, finish: () => body };
}
