import type { CounterStatus } from "#meter/budgets/counter-status.ts";
import type { Io } from "#kit/io.ts";
import { tryCounters } from "../counters/read-counters.ts";
import type { CounterOutage } from "./counter-outage.ts";

export const dashCountersMs = 1_000;

export class PageCounters {
  readonly #io: Pick<Io, "env" | "platform">;
  readonly #note: CounterOutage["note"];
  #all: readonly CounterStatus[] = [];
  #version = 0;
  #readMs = -Infinity;
  #isReading = false;

  constructor(io: Pick<Io, "env" | "platform">, note: CounterOutage["note"]) {
    this.#io = io;
    this.#note = note;
  }

  get all(): readonly CounterStatus[] {
    return this.#all;
  }

  get version(): number {
    return this.#version;
  }

  refresh(nowMs: number): void {
    if (this.#isReading || nowMs - this.#readMs < dashCountersMs) return;
    this.#readMs = nowMs;
    this.#isReading = true;
    void this.read().finally(() => {
      this.#isReading = false;
    });
  }

  /** Counters that cannot be read stay as they were. */
  async read(): Promise<void> {
    const { counters, fault } = await tryCounters(this.#io);
    this.#note(fault);
    if (fault !== undefined) return;
    if (JSON.stringify(counters) !== JSON.stringify(this.#all)) this.#version += 1;
    this.#all = counters;
  }
}
