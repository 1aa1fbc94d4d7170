import { countingAtExitMaxMs } from "#limits.ts";
import type { Ending } from "#io.ts";
import type { MeterEvent, Judgement } from "#session/event.ts";
import type { Meter } from "#session/meter.ts";
import type { MeterRecord } from "#records/record.ts";
import type { Instant } from "#calls/instant.ts";
import type { Side } from "#wire/side.ts";
import type { Line } from "#wire/line.ts";
import type { Passing } from "./lane.ts";
import type { Watcher } from "./interpose.ts";

/** What an observer tells. */
export type Listener = {
  record(record: MeterRecord): void;
  /** A promise when there is no room for further records now. */
  ready?(): Promise<void> | undefined;
  /** Records that got lost so far. */
  dropped?(): number;
  /** Resolves when the records told so far have arrived, or have had their time. */
  flush?(): Promise<void>;
  /** Metering failed once more; traffic goes on. */
  failed(where: string, what: string): void;
};

/**
 * Feeds the meter and stands guard: whatever fails in there is recorded and never reaches the traffic.
 * Long counts go on between two looks at the pipes.
 */
export class Observer implements Watcher {
  readonly #meter: Meter;
  readonly #listener: Listener;
  #insert: (to: Side, line: Uint8Array) => void = () => undefined;
  #faults = 0;
  #isScheduled = false;
  #alarm: Timer | undefined;

  constructor(meter: Meter, listener: Listener) {
    this.#meter = meter;
    this.#listener = listener;
  }

  connect(insert: (to: Side, line: Uint8Array) => void): void {
    this.#insert = insert;
  }

  /** A meter that failed holds nothing: its judgement may be wrong. */
  holds(from: Side): boolean {
    return this.#faults === 0 && this.#meter.holds(from);
  }

  line(from: Side, line: Line, hasPassed: boolean = true): Passing {
    const judgement = this.#judge(`a line of the ${from}`, {
      kind: "line",
      at: this.#now(),
      from,
      line,
      hasPassed,
    });
    this.#schedule();
    if (!judgement || judgement.passes) return true;
    return from === "client" ? judgement.toServer : judgement.toClient;
  }

  /** Counts as much as it would have for open lines, of which it hears when they have passed. */
  passed(lines: number): void {
    for (let left = lines; left > 0 && this.#meter.backlog > 0; left -= 1) {
      this.#judge("counting", { kind: "work", at: this.#now() });
    }
  }

  eof(): void {
    this.#judge("the end of the client", { kind: "eof", at: this.#now() });
  }

  /**
   * Counts what is left, for a bounded time, and completes the records: at once where the listener always
   * has room.
   */
  async finish(ending: Ending): Promise<void> {
    clearTimeout(this.#alarm);
    this.#judge("the end", { kind: "close", at: this.#now() });
    const deadlineMs = performance.now() + countingAtExitMaxMs;
    while (this.#meter.backlog > 0 && performance.now() < deadlineMs) {
      if (!this.#judge("counting", { kind: "work", at: this.#now() })) break;
      const ready = this.#listener.ready?.();
      if (ready) await ready;
    }
    // A record that waits for the disk is not lost.
    if (this.#listener.flush) await this.#listener.flush();
    this.#judge("the end", {
      kind: "end",
      at: this.#now(),
      exitCode: "code" in ending ? ending.code : null,
      signal: "signal" in ending ? ending.signal : null,
      droppedRecords: this.#listener.dropped?.() ?? 0,
      observerFaults: this.#faults,
    });
  }

  /** Undefined when the meter failed. */
  #judge(where: string, event: MeterEvent): Judgement | undefined {
    try {
      const judgement = this.#meter.judge(event);
      for (const record of judgement.records) this.#listener.record(record);
      // What goes instead of a line goes where that line was.
      const kept = event.kind === "line" && !judgement.passes ? event.from : undefined;
      if (kept !== "client") for (const line of judgement.toServer) this.#insert("server", line);
      if (kept !== "server") for (const line of judgement.toClient) this.#insert("client", line);
      this.#setAlarm();
      return judgement;
    } catch (error) {
      this.#fail(where, error);
      return undefined;
    }
  }

  #fail(where: string, error: unknown): void {
    // The message may quote what was being read; the name cannot.
    const what = error instanceof Error ? error.name : "unknown";
    this.#faults += 1;
    this.#listener.failed(where, what);
    if (this.#faults === 1) this.#judge(where, { kind: "fault", at: this.#now(), where, what });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#meter.backlog === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#judge("counting", { kind: "work", at: this.#now() })) this.#schedule();
    });
  }

  /** Wakes the meter when a request that waits may go. */
  #setAlarm(): void {
    const { wakeAtMs } = this.#meter;
    if (wakeAtMs === undefined || this.#alarm) return;
    const delayMs = Math.max(1, wakeAtMs - this.#now().wallMs);
    this.#alarm = setTimeout(() => {
      this.#alarm = undefined;
      this.#judge("a waiting request", { kind: "wake", at: this.#now() });
    }, delayMs);
  }

  #now(): Instant {
    // The day of a counter is that of the wall clock, also after a night asleep; durations do not jump with it.
    return { monoMs: performance.now(), wallMs: Date.now() };
  }
}
