import type { Instant } from "#meter/calls/call.ts";
import type { Ending } from "#kit/io.ts";
import { nameError } from "#kit/errors.ts";
import type { MeterRecord } from "#records/record.ts";
import type { LineEvent, MeterEvent, ExchangeEndOutcome } from "#meter/session/event.ts";
import {
  type Effects,
  withhold,
  type DelayedEffectsReceiver,
  noEffects,
  type Judgement,
} from "#meter/session/decider.ts";
import type { Meter } from "#meter/session/meter.ts";
import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";
import { now, type Insert, type Judge, type LineVerdict, countingAtExitMaxMs } from "./judge.ts";

// A client may kill us 5 ms after it receives its last answer.
export const checkpointDelayMs = 1;

export const checkpointBurstMax = 16;

// Each checkpoint adds an `end` record, two thirds as large as the record of a call.
export const checkpointPeriodMs = 1_000;

const checkpointLeavingPeriodMs = 50;

export class Checkpoints {
  readonly #save: (isLeaving: boolean) => void;
  #savedMs = -Infinity;
  #spentUntilMs = -Infinity;
  #isLeaving = false;
  #timer: Timer | undefined;

  constructor(save: (isLeaving: boolean) => void) {
    this.#save = save;
  }

  // Until the client leaves, allows a burst of `checkpointBurstMax` saves, then one save per `checkpointPeriodMs`.
  schedule(): void {
    if (this.#timer) return;
    const dueMs = this.#isLeaving
      ? this.#savedMs + checkpointLeavingPeriodMs
      : this.#spentUntilMs - (checkpointBurstMax - 1) * checkpointPeriodMs;
    const delayMs = Math.max(checkpointDelayMs, dueMs - performance.now());
    this.#timer = setTimeout(() => this.#run(), delayMs);
  }

  startLeaving(): void {
    this.#isLeaving = true;
    this.#run();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    this.stop();
    this.#save(this.#isLeaving);
    this.#savedMs = performance.now();
    this.#spentUntilMs = Math.max(this.#spentUntilMs, this.#savedMs) + checkpointPeriodMs;
  }
}

// A limit on the bytes of lines, not of their garbage: 6 MiB of lines leave about 36 MiB of garbage. A collection takes
// 5 ms.
export const garbageBytesMax = 6 * 1024 * 1024;

// Added to the size of each line, because short lines leave more objects for each of their bytes.
export const lineGarbageBytes = 768;

// Calls the garbage collector, because the runtime underestimates strings and buffers. Otherwise, memory would grow to
// hundreds of megabytes in a flood of lines.
export class Garbage {
  readonly #collect: () => void;
  #bytes = 0;

  constructor(collect: () => void = () => Bun.gc(true)) {
    this.#collect = collect;
  }

  add(bytes: number): void {
    this.#bytes += bytes + lineGarbageBytes;
  }

  // Call this where a pause of some milliseconds delays no bytes.
  collectWhenDue(): void {
    if (this.#bytes <= garbageBytesMax) return;
    this.#bytes = 0;
    this.#collect();
  }
}

const exchangeGarbageBytes = 4 * 1024;

// Codex may kill us 5 ms after it sends SIGTERM.
const checkpointCountingMaxMs = 2;

export const recordsSavedTogether = 200;

export type Listener = {
  record(record: MeterRecord): void;
  whenReady?(): Promise<void> | undefined;
  dropped?(isEnd: boolean): number; // lost records; at the end, also records that are still unwritten
  // A leaving client may kill us. While it is leaving, a save writes at once, even on slower disks.
  save?(isLeaving: boolean): void;
  flush?(): Promise<void>;
  failed(where: string, what: string): void;
};

export class Observer implements Judge {
  readonly #meter: Meter;
  readonly #listener: Listener;
  readonly #garbage = new Garbage();
  readonly #checkpoints = new Checkpoints((isLeaving) => this.#save(isLeaving));
  #insert: Insert = () => undefined;
  #delayedReceiver: DelayedEffectsReceiver | undefined;
  #faults = 0;
  #isScheduled = false;
  #isFinishing = false;
  #isHurried = false;
  #isGivingUp = false;
  #skippedBytes = 0;
  #countUntilMs = Infinity;
  #room: PromiseWithResolvers<void> | undefined;
  #decided: PromiseWithResolvers<void> | undefined;
  #alarm: Timer | undefined;

  constructor(meter: Meter, listener: Listener) {
    this.#meter = meter;
    this.#listener = listener;
  }

  connect(insert: Insert): void {
    this.#insert = insert;
  }

  setDelayedReceiver(receiver: DelayedEffectsReceiver): void {
    this.#delayedReceiver = receiver;
  }

  // A failed meter holds nothing: its decisions may be wrong.
  holds(from: Side): boolean {
    return this.#faults === 0 && this.#meter.holds(from);
  }

  judgeLine(from: Side, line: Line, hasPassed: boolean = true, at: Instant = now()): LineVerdict {
    const effects = this.decide({ from, line, hasPassed, at });
    if (effects.passes) return true;
    return from === "client" ? effects.toServer : effects.toClient;
  }

  decide(arrival: Omit<LineEvent, "kind">): Effects {
    const { from, line, at, exchange, hasPassed = false } = arrival;
    if (this.#isGivingUp) {
      // No further line is judged, so a line that has not passed yet never passes.
      if (!hasPassed) return withhold();
      this.skip(line.size);
      return noEffects;
    }
    // Lists each member: a spread of `arrival` would make each line take a tenth longer.
    const event = { kind: "line", from, line, at, exchange, hasPassed } as const;
    const judgement = this.#judge(`a line of the ${from}`, event);
    this.#schedule();
    const isCounted = this.#meter.backlog > 0 || (judgement?.records.length ?? 0) > 0;
    if (isCounted) this.#garbage.add(line.size + (exchange ? exchangeGarbageBytes : 0));
    if (hasPassed) this.#garbage.collectWhenDue();
    if (this.#isHurried) this.#settleWhenBehind();
    return judgement ?? noEffects;
  }

  // Resolves when there is room. Also resolves at the end or if counting fails, so that traffic does not wait in vain.
  whenCaughtUp(): Promise<void> | undefined {
    if (!this.#meter.isBehind || this.#isFinishing || this.#isHurried) return undefined;
    this.#schedule();
    this.#room ??= Promise.withResolvers();
    return this.#room.promise;
  }

  whenDecided(): Promise<void> | undefined {
    if (!this.#meter.hasPendingLines) return undefined;
    this.#decided ??= Promise.withResolvers();
    return this.#decided.promise;
  }

  noteCounterAnswers(): void {
    if (!this.#meter.hasPendingLines) return;
    this.#judge("the answer of a counter", { kind: "counters-answered", at: now() });
    this.#schedule();
    if (!this.#meter.isBehind) this.#makeRoom();
    this.#noteDecided();
  }

  #noteDecided(): void {
    if (this.#meter.hasPendingLines) return;
    this.#decided?.resolve();
    this.#decided = undefined;
  }

  countPassed(lines: number): void {
    for (let counted = 0; counted < lines && this.#meter.backlog > 0; counted += 1) this.#count();
    this.#garbage.collectWhenDue();
  }

  endExchange(exchange: number, outcome: ExchangeEndOutcome): void {
    this.#judge("the end of an exchange", { kind: "exchange-end", at: now(), exchange, outcome });
    this.#schedule();
  }

  noteRedirect(exchange: number): void {
    this.#judge("a redirect", { kind: "redirected", at: now(), exchange });
  }

  hurry(): void {
    this.#isHurried = true;
    this.#settleWhenBehind();
    this.#makeRoom();
  }

  giveUp(): void {
    this.#isGivingUp = true;
    this.hurry();
  }

  skip(bytes: number): void {
    this.#skippedBytes += bytes;
  }

  countUntil(ms: number): void {
    this.#countUntilMs = ms;
  }

  noteFault(where: string, what: string): void {
    this.#judge(where, { kind: "fault", at: now(), where, what });
  }

  noteEof(): void {
    this.#judge("the end of the client", { kind: "eof", at: now() });
    // The save comes later, so that the server learns of the end first.
    setImmediate(() => this.saveNow());
  }

  saveNow(): void {
    if (!this.#isFinishing) this.#checkpoints.startLeaving();
  }

  // Counting stops at a deadline. `ending` is absent if the server has not ended.
  async finish(ending?: Ending): Promise<void> {
    this.#isFinishing = true;
    clearTimeout(this.#alarm);
    this.#checkpoints.stop();
    this.#makeRoom();
    this.#noteSkipped();
    this.#judge("the end", { kind: "close", at: now() });
    const countingMaxMs = this.#isHurried ? 0 : countingAtExitMaxMs;
    const deadlineMs = Math.min(performance.now() + countingMaxMs, this.#countUntilMs);
    while (this.#meter.backlog > 0 && performance.now() < deadlineMs) {
      if (!this.#count()) break;
      const ready = this.#listener.whenReady?.();
      if (ready) await Promise.race([ready, Bun.sleep(deadlineMs - performance.now())]);
    }
    // The flush comes first, because records that still wait for the disk would count as lost.
    if (this.#listener.flush) await this.#listener.flush();
    this.#judge("the end", {
      kind: "end",
      at: now(),
      exitCode: ending && "code" in ending ? ending.code : null,
      signal: ending && "signal" in ending ? ending.signal : null,
      ...this.#losses(true),
    });
  }

  #noteSkipped(): void {
    const bytes = this.#skippedBytes;
    if (bytes === 0) return;
    const fault = { where: "the end", what: "not_judged", bytes };
    this.#judge("the end", { kind: "fault", at: now(), ...fault });
  }

  #save(isLeaving: boolean): void {
    const deadlineMs = performance.now() + checkpointCountingMaxMs;
    while (this.#meter.backlog > 0 && performance.now() < deadlineMs) if (!this.#count()) break;
    this.#store(isLeaving);
    // Records still queued are not lost: they are written before the record of this checkpoint.
    this.#judge("a checkpoint", { kind: "checkpoint", at: now(), ...this.#losses(false) });
    this.#store(isLeaving);
  }

  // A failed save stops neither traffic nor budgets: the meter itself works.
  #store(isLeaving: boolean): void {
    try {
      this.#listener.save?.(isLeaving);
    } catch (error) {
      this.#listener.failed("a checkpoint", nameError(error));
    }
  }

  #losses(isEnd: boolean): { readonly droppedRecords: number; readonly observerFaults: number } {
    const droppedRecords = this.#listener.dropped?.(isEnd) ?? 0;
    return { droppedRecords, observerFaults: this.#faults };
  }

  #settleWhenBehind(): void {
    if (this.#meter.isBehind) this.#judge("the end", { kind: "settle", at: now() });
  }

  #count(): boolean {
    const judgement = this.#judge("counting", { kind: "work", at: now() });
    this.#noteDecided();
    return judgement !== undefined;
  }

  #judge(where: string, event: MeterEvent): Judgement | undefined {
    try {
      const judgement = this.#meter.judge(event);
      this.#record(judgement.records);
      const hasNews = judgement.records.length > 0 && event.kind !== "checkpoint";
      if (hasNews && !this.#isFinishing) this.#checkpoints.schedule();
      this.#insertLines(event, judgement);
      this.#setAlarm();
      return judgement;
    } catch (error) {
      this.#fail(where, error);
      return undefined;
    }
  }

  // At the end, all open calls are recorded together. The queue may lack room for them, so it is saved repeatedly.
  #record(records: Judgement["records"]): void {
    for (const [index, record] of records.entries()) {
      this.#listener.record(record);
      if (this.#isFinishing && (index + 1) % recordsSavedTogether === 0)
        this.#listener.save?.(true);
    }
  }

  // In an HTTP exchange, the caller of `decide` sends all lines. Otherwise, it sends only the replacement of the judged
  // line, and the other lines are inserted here.
  #insertLines(event: MeterEvent, { passes, toClient, toServer, delayed }: Judgement): void {
    for (const delayedEffects of delayed) this.#delayedReceiver?.take(delayedEffects);
    if (event.kind === "line" && event.exchange) return;
    const replacedSide = event.kind === "line" && !passes ? event.from : undefined;
    if (replacedSide !== "client") for (const line of toServer) this.#insert("server", line);
    if (replacedSide !== "server") for (const line of toClient) this.#insert("client", line);
  }

  #fail(where: string, error: unknown): void {
    const what = nameError(error);
    this.#faults += 1;
    this.#listener.failed(where, what);
    this.#delayedReceiver?.fail();
    if (this.#faults === 1) this.#judge(where, { kind: "fault", at: now(), where, what });
  }

  #schedule(): void {
    if (this.#isScheduled || this.#meter.backlog === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const isCounted = this.#count();
      if (!isCounted || !this.#meter.isBehind) this.#makeRoom();
      if (isCounted) this.#schedule();
    });
  }

  #makeRoom(): void {
    this.#room?.resolve();
    this.#room = undefined;
  }

  #setAlarm(): void {
    const { wakeAtMs } = this.#meter;
    if (wakeAtMs === undefined || this.#alarm) return;
    const delayMs = Math.max(1, wakeAtMs - Date.now());
    this.#alarm = setTimeout(() => {
      this.#alarm = undefined;
      this.#judge("a held request", { kind: "wake", at: now() });
    }, delayMs);
  }
}
