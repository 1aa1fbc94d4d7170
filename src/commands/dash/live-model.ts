import { DashModel, type ModelDays } from "#screens/dash/model/model.ts";
import type { MeterRecord } from "#records/record.ts";
import { dayMs, type DayNumber, parseDay } from "#history/reports/calendar.ts";
import type { TimeZone } from "#history/reports/time-zone.ts";
import { parseAge } from "#kit/text/age.ts";

export type ReadAll = (model: DashModel) => Promise<void>;

export type BeginOn = (today: DayNumber) => DayNumber;

/** A date, or at least as many whole days up to today as a time back from now touches. */
export function beginningOf(since: string): BeginOn {
  const age = parseAge(since) ?? 0;
  return (today) => parseDay(since) ?? today - Math.max(1, Math.ceil(age / dayMs)) + 1;
}

export class LiveModel {
  readonly #zone: TimeZone;
  readonly #beginOn: BeginOn;
  readonly #read: ReadAll;
  #model: DashModel;
  #next: DashModel | undefined;
  #isReading = false;
  #readings = 0;

  constructor(zone: TimeZone, { beginOn, read, nowMs }: LiveModelParts) {
    this.#zone = zone;
    this.#beginOn = beginOn;
    this.#read = read;
    this.#model = new DashModel(this.#daysAt(nowMs));
  }

  get model(): DashModel {
    return this.#model;
  }

  get isBeginning(): boolean {
    return this.#isReading && this.#next === undefined;
  }

  get version(): string {
    return `${this.#readings} ${this.#model.version}`;
  }

  readonly take = (record: MeterRecord): void => {
    this.#model.take(record);
    this.#next?.take(record);
  };

  start(): Promise<void> {
    return this.#readInto(this.#model);
  }

  /** The old records are shown meanwhile. */
  async follow(nowMs: number, haveChanged: () => boolean = () => false): Promise<void> {
    if (this.#isReading) return;
    if (this.#zone.dayOf(nowMs) === this.#model.today && !haveChanged()) return;
    const next = new DashModel(this.#daysAt(nowMs));
    this.#next = next;
    try {
      await this.#readInto(next);
      this.#model = next;
      this.#readings += 1;
    } finally {
      this.#next = undefined;
    }
  }

  async #readInto(model: DashModel): Promise<void> {
    this.#isReading = true;
    try {
      await this.#read(model);
    } finally {
      this.#isReading = false;
    }
  }

  #daysAt(nowMs: number): ModelDays {
    const first = this.#beginOn(this.#zone.dayOf(nowMs));
    return { zone: this.#zone, fromMs: this.#zone.startOf(first), nowMs };
  }
}

export type LiveModelParts = {
  readonly beginOn: BeginOn;
  readonly read: ReadAll;
  readonly nowMs: number;
};
