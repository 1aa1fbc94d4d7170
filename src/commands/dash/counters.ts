import type { CounterStatus } from "#budgets/counter-status.ts";
import { UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { dashCountersMs } from "#limits/dash.ts";
import type { Tell } from "#text/teller.ts";
import { readCounters } from "../budgets/command.ts";

/** The shared budget counters, read again while a screen shows them. */
export class PageCounters {
  readonly #io: Pick<Io, "env" | "platform">;
  readonly #tell: Tell;
  #all: readonly CounterStatus[] = [];
  #version = 0;
  #readMs = -Infinity;
  #isReading = false;

  constructor(io: Pick<Io, "env" | "platform">, tell: Tell) {
    this.#io = io;
    this.#tell = tell;
  }

  get all(): readonly CounterStatus[] {
    return this.#all;
  }

  /** Differs after each change. */
  get version(): number {
    return this.#version;
  }

  /** Begins to read them again, unless they were just read. */
  refresh(nowMs: number): void {
    if (this.#isReading || nowMs - this.#readMs < dashCountersMs) return;
    this.#readMs = nowMs;
    this.#isReading = true;
    void this.read().finally(() => {
      this.#isReading = false;
    });
  }

  /** Counters that cannot be read are reported, and stay as they were. */
  async read(): Promise<void> {
    try {
      const fresh = await readCounters(this.#io);
      if (JSON.stringify(fresh) !== JSON.stringify(this.#all)) this.#version += 1;
      this.#all = fresh;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.#tell(error.message);
    }
  }
}
