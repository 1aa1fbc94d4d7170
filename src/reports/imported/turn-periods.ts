import type { TurnRecord } from "#records/imported-record.ts";
import type { DayNumber } from "../calendar.ts";
import type { TimeRange } from "../time-range.ts";
import type { TimeZone } from "../time-zone.ts";

export type TurnPeriod = { readonly day: DayNumber; readonly model: string | null };

export class TurnPeriods {
  readonly numbers: readonly number[];
  readonly #periods = new Map<string, TurnPeriod & { readonly number: number }>();

  constructor(turns: readonly TurnRecord[], { range, zone }: { range: TimeRange; zone: TimeZone }) {
    this.numbers = turns.map(({ ts, model }) => {
      const ms = Date.parse(ts);
      if (!(ms >= range.fromMs && ms < range.toMs)) return 0;
      const day = zone.dayOf(ms);
      const key = `${day} ${model ?? ""}`;
      const known = this.#periods.get(key) ?? { day, model, number: this.#periods.size + 1 };
      this.#periods.set(key, known);
      return known.number;
    });
  }

  get all(): ReadonlyMap<number, TurnPeriod> {
    return new Map([...this.#periods.values()].map(({ number, ...period }) => [number, period]));
  }

  turnsFrom(place: number): ReadonlyMap<number, number> {
    const turns = new Map<number, number>();
    for (const number of this.numbers.slice(Math.min(place, this.numbers.length))) {
      if (number > 0) turns.set(number, (turns.get(number) ?? 0) + 1);
    }
    return turns;
  }
}
