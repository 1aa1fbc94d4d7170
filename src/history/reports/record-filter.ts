import type { MeterRecord } from "#records/record.ts";
import { reportSessionsMax } from "#records/ledger.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import { InstantReader } from "./calendar.ts";
import { isInRange, type TimeRange } from "./time-range.ts";

export type RecordChoice = {
  readonly range: TimeRange;
  readonly filters: { readonly servers: readonly string[]; readonly tools: readonly string[] };
};

export type TimedRecord = { readonly record: MeterRecord; readonly ms: number };

export class RecordFilter {
  readonly #choice: RecordChoice;
  readonly #instants = new InstantReader();

  constructor(choice: RecordChoice) {
    this.#choice = choice;
  }

  readTime({ ts }: Pick<MeterRecord, "ts">): number {
    return this.#instants.read(ts);
  }

  isWanted({ record, ms }: TimedRecord): boolean {
    const { range, filters } = this.#choice;
    if (!isInRange(range, ms)) return false;
    const { servers, tools } = filters;
    if (!passesPatterns(servers, record.server)) return false;
    if (tools.length === 0 || record.type === "session") return true;
    const hasTool = record.type === "call" || record.type === "alert";
    return hasTool && record.tool !== null && passesPatterns(tools, record.tool);
  }

  isWantedCall(
    { server, tool }: { readonly server: string; readonly tool: string },
    ms: number,
  ): boolean {
    const { range, filters } = this.#choice;
    if (!isInRange(range, ms)) return false;
    return passesPatterns(filters.servers, server) && passesPatterns(filters.tools, tool);
  }
}

export type TakeTimed = (timed: TimedRecord) => void;

/** The returned function returns false if a record has no valid time. */
export function filterRecords(
  choice: RecordChoice,
  take: TakeTimed,
  skip: TakeTimed = () => undefined,
): (record: MeterRecord) => boolean {
  const seen = new SeenRecords();
  const filter = new RecordFilter(choice);
  return (record) => {
    const timed = { record, ms: filter.readTime(record) };
    if (Number.isNaN(timed.ms)) return false;
    if (!filter.isWanted(timed)) skip(timed);
    else if (seen.isNew(record)) take(timed);
    return true;
  };
}

// Limits the memory to 50 MB: a page of 512 sequence numbers takes about 200 bytes, mostly overhead.
export const seenPagesMax = 250_000;

const pageBits = 512;

export class SeenRoom {
  #pages = 0;

  takePage(): Uint8Array | undefined {
    if (this.#pages >= seenPagesMax) return undefined;
    this.#pages += 1;
    return new Uint8Array(pageBits / 8);
  }
}

export class SeenNumbers {
  readonly #room: SeenRoom;
  readonly #pages = new Map<number, Uint8Array>();
  #recentAt = -1;
  #recent: Uint8Array = new Uint8Array(0);

  constructor(room: SeenRoom) {
    this.#room = room;
  }

  add(number: number): "new" | "again" | "unknown" {
    const page = this.#findPage(Math.floor(number / pageBits));
    if (!page) return "unknown";
    const bit = number % pageBits;
    const [at, mask] = [bit >> 3, 1 << (bit & 7)];
    const byte = page[at] ?? 0;
    if ((byte & mask) !== 0) return "again";
    page[at] = byte | mask;
    return "new";
  }

  #findPage(at: number): Uint8Array | undefined {
    if (at === this.#recentAt) return this.#recent;
    const page = this.#pages.get(at) ?? this.#room.takePage();
    if (!page) return undefined;
    this.#pages.set(at, page);
    this.#recentAt = at;
    this.#recent = page;
    return page;
  }
}

export class SeenRecords {
  readonly #room = new SeenRoom();
  readonly #sessions = new Map<string, SeenNumbers>();

  // Also false if there is no room to remember the record.
  isNew({ session_id: id, seq }: Pick<MeterRecord, "session_id" | "seq">): boolean {
    const known = this.#sessions.get(id);
    if (!known && this.#sessions.size >= reportSessionsMax) return false;
    const numbers = known ?? new SeenNumbers(this.#room);
    this.#sessions.set(id, numbers);
    return numbers.add(seq) === "new";
  }
}
