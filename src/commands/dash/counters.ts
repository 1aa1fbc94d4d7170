import type { CounterStatus } from "#meter/budgets/counter.ts";
import type { Io } from "#kit/io.ts";
import { tryCounters } from "../counters/read-counters.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { PageNotes } from "./notes.ts";
import { dashSentences } from "./sentences.ts";

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

export class CounterOutage {
  readonly #notes: Pick<PageNotes, "outage">;
  readonly #tell: Tell;
  #fault: string | undefined;

  constructor(notes: Pick<PageNotes, "outage">, tell: Tell) {
    this.#notes = notes;
    this.#tell = tell;
  }

  readonly note = (fault: string | undefined): void => {
    const before = this.#fault;
    this.#fault = fault;
    if (before === fault) return;
    this.#notes.outage = fault;
    if (fault === undefined) this.#tell(dashSentences.dashCountersBack());
    else if (before === undefined) this.#tell(dashSentences.dashCountersAway(fault));
  };
}
