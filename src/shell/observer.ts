import { countingAtExitMaxMs } from "#limits.ts";
import type { Ending } from "#io.ts";
import type { Event, Meter } from "#meter/meter.ts";
import type { Record } from "#meter/record.ts";
import type { Instant } from "#meter/recorder.ts";
import type { Side } from "#wire/exchange.ts";
import type { Line } from "#wire/line.ts";

/** An event before it is told when. */
type Untimed = Event extends infer One ? (One extends Event ? Omit<One, "at"> : never) : never;

/** What an observer tells. */
export type Listener = {
  record(record: Record): void;
  /** Metering failed once more; traffic goes on. */
  failed(where: string, what: string): void;
};

/**
 * Feeds the meter and stands guard: whatever fails in there is recorded and never reaches the traffic.
 * Long counts go on between two looks at the pipes.
 */
export class Observer {
  readonly #meter: Meter;
  readonly #listener: Listener;
  // Durations must not jump with the clock, so the wall clock is read once.
  readonly #startWallMs = Date.now() - performance.now();
  #faults = 0;
  #isScheduled = false;

  constructor(meter: Meter, listener: Listener) {
    this.#meter = meter;
    this.#listener = listener;
  }

  line(from: Side, line: Line): void {
    this.#step(`a line of the ${from}`, { kind: "line", from, line });
    this.#schedule();
  }

  /** Counts what is left, for a bounded time, and completes the records. */
  finish(ending: Ending, droppedRecords: number): void {
    const deadlineMs = performance.now() + countingAtExitMaxMs;
    while (this.#meter.backlog > 0 && performance.now() < deadlineMs) {
      if (!this.#step("counting", { kind: "work" })) break;
    }
    this.#step("the end", {
      kind: "end",
      exitCode: "code" in ending ? ending.code : null,
      signal: "signal" in ending ? ending.signal : null,
      droppedRecords,
      observerFaults: this.#faults,
    });
  }

  /** False when the meter failed. */
  #step(where: string, event: Untimed): boolean {
    try {
      for (const record of this.#meter.step({ ...event, at: this.#now() })) {
        this.#listener.record(record);
      }
      return true;
    } catch (error) {
      this.#fail(where, error);
      return false;
    }
  }

  #fail(where: string, error: unknown): void {
    // The message may quote what was being read; the name cannot.
    const what = error instanceof Error ? error.name : "unknown";
    this.#faults += 1;
    this.#listener.failed(where, what);
    if (this.#faults === 1) this.#step(where, { kind: "fault", where, what });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#meter.backlog === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#step("counting", { kind: "work" })) this.#schedule();
    });
  }

  #now(): Instant {
    const monoMs = performance.now();
    return { monoMs, wallMs: this.#startWallMs + monoMs };
  }
}
