import { estimationOf } from "#records/certainty.ts";
import type {
  AlertRecord,
  DefinitionsRecord,
  EndRecord,
  MeterRecord,
  SessionRecord,
} from "#records/record.ts";
import { SessionContext } from "#records/session-context.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { SeenNumbers, type SeenRoom } from "#history/reports/seen-numbers.ts";

export const dashMarksMax = 500;

export class SessionEntry {
  readonly id: string;
  readonly context = new SessionContext();
  readonly #seen: SeenNumbers;
  #record: SessionRecord | undefined;
  #definitions: DefinitionsRecord | undefined;
  #end: EndRecord | undefined;
  #marks: AlertRecord[] = [];
  #beganMs = Infinity;
  #newestMs = -Infinity;

  constructor(id: string, room: SeenRoom) {
    this.id = id;
    this.#seen = new SeenNumbers(room);
  }

  get record(): SessionRecord | undefined {
    return this.#record;
  }

  get definitions(): DefinitionsRecord | undefined {
    return this.#definitions;
  }

  get end(): EndRecord | undefined {
    return this.#end;
  }

  get marks(): readonly AlertRecord[] {
    return this.#marks;
  }

  get beganMs(): number {
    return this.#beganMs;
  }

  get newestMs(): number {
    return this.#newestMs;
  }

  get estimation(): SummaryEstimation | null {
    return this.#record ? estimationOf(this.#record) : null;
  }

  /** False for a record that was taken before. An alert is kept while `hasRoom`. */
  take(record: MeterRecord, ms: number, hasRoom: boolean): boolean {
    if (this.#seen.add(record.seq) === "again") return false;
    this.#beganMs = Math.min(this.#beganMs, ms);
    this.#newestMs = Math.max(this.#newestMs, ms);
    this.context.add(record);
    if (record.type === "session") this.#addSession(record);
    if (record.type === "definitions" && record.tools_total > 0) this.#definitions = record;
    if (record.type === "end") this.#end = record;
    if (record.type === "alert" && hasRoom && this.#marks.length < dashMarksMax) {
      this.#marks.push(record);
    }
    return true;
  }

  #addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }
}
