import type { FileSink } from "bun";
import { newline } from "#kit/text/ascii.ts";
import type { Instant } from "#meter/calls/call.ts";
import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";

export const countingAtExitMaxMs = 3_000;

// `true` forwards the line, `false` drops it, lines replace it.
export type LineVerdict = boolean | readonly Uint8Array[];

export type Insert = (to: Side, line: Uint8Array) => void;

// No method throws or blocks.
export type Judge = {
  // If `hasPassed`, the result is ignored. If the line had to wait, `at` is its arrival time.
  judgeLine(from: Side, line: Line, hasPassed: boolean, at?: Instant): LineVerdict;
  holds(from: Side): boolean;
  // A promise while the judge is too far behind, or not yet open. Await the promise before judging a forwarded line.
  whenCaughtUp(): Promise<void> | undefined;
  // A promise while lines wait for the answers of counters; it resolves when all are decided.
  whenDecided(): Promise<void> | undefined;
  countPassed(lines: number): void; // counts the texts of held lines that just passed; `lines` is their number
  noteEof(): void; // of the client
  saveNow(): void; // the client may kill us at any time
  // From now on, if the judge falls behind, it estimates texts by their length.
  hurry(): void;
  // No time is left: further lines are not judged. Those that have passed count as skipped; others are withheld.
  giveUp(): void;
  skip(bytes: number): void; // forwarded bytes will not be judged
  countUntil(ms: number): void; // monotonic deadline for counting the remaining texts
  noteFault(where: string, what: string): void; // a dependency failed; the judge continues
  connect(insert: Insert): void;
};

type LazyJudgeOptions = {
  readonly open: () => Promise<Judge>;
  // If true, lines may have to be decided before they pass. No byte is then read before the judge is open.
  readonly isGating: boolean;
  readonly failed: (error: unknown) => void;
};

export const passingJudge: Judge = {
  judgeLine: () => true,
  holds: () => false,
  whenCaughtUp: () => undefined,
  whenDecided: () => undefined,
  countPassed: () => undefined,
  noteEof: () => undefined,
  saveNow: () => undefined,
  hurry: () => undefined,
  giveUp: () => undefined,
  skip: () => undefined,
  countUntil: () => undefined,
  noteFault: () => undefined,
  connect: () => undefined,
};

/** Opens its judge with the first line, or at once if lines may be held. */
export class LazyJudge implements Judge {
  readonly #options: LazyJudgeOptions;
  readonly isGating: boolean;
  #judge: Judge | undefined;
  #opening: Promise<void> | undefined;
  #insert: Insert = () => undefined;
  #missedEvents: ((judge: Judge) => void)[] = [];

  constructor(options: LazyJudgeOptions) {
    this.#options = options;
    this.isGating = options.isGating;
  }

  whenReady(): Promise<void> | undefined {
    return this.isGating ? this.#open() : undefined;
  }

  connect(insert: Insert): void {
    this.#insert = insert;
    this.#judge?.connect(insert);
  }

  holds(from: Side): boolean {
    return this.#judge?.holds(from) ?? false;
  }

  judgeLine(from: Side, line: Line, hasPassed: boolean, at?: Instant): LineVerdict {
    return this.#judge?.judgeLine(from, line, hasPassed, at) ?? true;
  }

  whenCaughtUp(): Promise<void> | undefined {
    return this.#judge ? this.#judge.whenCaughtUp() : this.#open();
  }

  whenDecided(): Promise<void> | undefined {
    return this.#judge?.whenDecided();
  }

  countPassed(lines: number): void {
    this.#judge?.countPassed(lines);
  }

  noteEof(): void {
    this.#notify((judge) => judge.noteEof());
  }

  saveNow(): void {
    this.#notify((judge) => judge.saveNow());
  }

  hurry(): void {
    this.#notify((judge) => judge.hurry());
  }

  giveUp(): void {
    this.#notify((judge) => judge.giveUp());
  }

  skip(bytes: number): void {
    this.#notify((judge) => judge.skip(bytes));
  }

  countUntil(ms: number): void {
    this.#notify((judge) => judge.countUntil(ms));
  }

  noteFault(where: string, what: string): void {
    this.#notify((judge) => judge.noteFault(where, what));
  }

  #notify(event: (judge: Judge) => void): void {
    if (this.#judge) event(this.#judge);
    else this.#missedEvents.push(event);
  }

  #open(): Promise<void> {
    this.#opening ??= this.#openNow();
    return this.#opening;
  }

  async #openNow(): Promise<void> {
    let judge = passingJudge;
    try {
      judge = await this.#options.open();
    } catch (error) {
      this.#options.failed(error);
    }
    this.#judge = judge;
    judge.connect(this.#insert);
    // The missed events wait for the next turn, so that lines that arrived earlier are judged first.
    setImmediate(() => {
      for (const event of this.#missedEvents.splice(0)) event(judge);
    });
  }
}

export const turnMaxMs = 2;

export const linesPerTurnCheck = 32;

export class Turn {
  readonly #nowMs: () => number;
  #startMs: number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
    this.#startMs = nowMs();
  }

  get isLong(): boolean {
    return this.#nowMs() - this.#startMs > turnMaxMs;
  }

  begin(): void {
    this.#startMs = this.#nowMs();
  }

  async next(): Promise<void> {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    this.begin();
  }
}

// Budgets follow the wall clock. Durations follow the monotonic clock, because the wall clock may jump.
export function now(): Instant {
  return { monoMs: performance.now(), wallMs: Date.now() };
}

// A side must wait while its unprocessed lines take more memory than this. A burst of 5,000 short calls does not wait.
export const unprocessedBytesMax = 4 * 1024 * 1024;

type Forwarded = { readonly from: Side; readonly bytes: number };

type Unprocessed = { bytes: number; caughtUp: PromiseWithResolvers<void> | undefined };

// Tasks must check `shouldYield`: promises alone starve the event loop.
export class LineScheduler {
  readonly #turn: Turn;
  #lastTask: Promise<void> | undefined;
  // Per side: a flood from the server must not delay the client's requests.
  readonly #unprocessed: Readonly<Record<Side, Unprocessed>> = {
    client: { bytes: 0, caughtUp: undefined },
    server: { bytes: 0, caughtUp: undefined },
  };

  constructor(turn: Turn = new Turn()) {
    this.#turn = turn;
  }

  get shouldYield(): boolean {
    return this.#turn.isLong;
  }

  get isBusy(): boolean {
    return this.#lastTask !== undefined;
  }

  whenCaughtUp(from: Side): Promise<void> | undefined {
    const unprocessed = this.#unprocessed[from];
    if (unprocessed.bytes <= unprocessedBytesMax) return undefined;
    unprocessed.caughtUp ??= Promise.withResolvers();
    return unprocessed.caughtUp.promise;
  }

  async whenIdle(): Promise<void> {
    await this.#lastTask;
  }

  // Both directions share the queue, so an answer never precedes its request.
  async defer(task: () => Promise<void>, forwarded?: Forwarded): Promise<void> {
    if (forwarded) this.#unprocessed[forwarded.from].bytes += forwarded.bytes;
    const before = this.#lastTask;
    const current = (async () => {
      await before;
      await task();
    })();
    this.#lastTask = current;
    try {
      await current;
    } finally {
      if (forwarded) this.#noteProcessed(forwarded);
      if (this.#lastTask === current) this.#lastTask = undefined;
    }
  }

  #noteProcessed({ from, bytes }: Forwarded): void {
    const unprocessed = this.#unprocessed[from];
    unprocessed.bytes -= bytes;
    if (unprocessed.bytes > unprocessedBytesMax) return;
    unprocessed.caughtUp?.resolve();
    unprocessed.caughtUp = undefined;
  }

  async nextTurn(): Promise<void> {
    await this.#turn.next();
  }
}

/** The only writer of a pipe: puts our lines between forwarded ones. Its promises resolve when all is written. */
export class Outbox {
  readonly #sink: FileSink;
  #pending: Uint8Array[] = [];
  #isBetweenLines = true;
  #isBroken = false;
  #waitingWrites = 0;
  #lastProgressMs = -Infinity;

  constructor(sink: FileSink) {
    this.#sink = sink;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  get isWaiting(): boolean {
    return this.#waitingWrites > 0;
  }

  get lastProgressMs(): number {
    return this.#lastProgressMs;
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    const firstLineEnd = this.#pending.length === 0 ? 0 : bytes.indexOf(newline) + 1;
    if (firstLineEnd > 0) {
      this.#buffer(bytes.subarray(0, firstLineEnd));
      this.#writePending();
    }
    if (firstLineEnd < bytes.length) {
      this.#isBetweenLines = bytes.at(-1) === newline;
      this.#buffer(firstLineEnd === 0 ? bytes : bytes.subarray(firstLineEnd));
    }
    return this.#flush();
  }

  insert(line: Uint8Array): Promise<void> | undefined {
    this.#pending.push(line);
    if (this.#isBetweenLines) this.#writePending();
    return this.#flush();
  }

  // If the last forwarded line is unfinished, a newline separates it from our pending lines.
  async end(): Promise<void> {
    if (this.#pending.length > 0) this.#buffer(Uint8Array.of(newline));
    this.#writePending();
    await this.#flush();
    try {
      await this.#sink.end();
    } catch {
      this.#isBroken = true;
    }
  }

  #writePending(): void {
    for (const line of this.#pending) this.#buffer(line);
    this.#pending = [];
    this.#isBetweenLines = true;
  }

  #buffer(bytes: Uint8Array): void {
    void this.#guard(() => this.#sink.write(bytes));
  }

  #flush(): Promise<void> | undefined {
    const flushing = this.#guard(() => this.#sink.flush());
    this.#lastProgressMs = performance.now();
    return flushing && this.#wait(flushing);
  }

  async #wait(flushing: Promise<void>): Promise<void> {
    this.#waitingWrites += 1;
    await flushing;
    this.#waitingWrites -= 1;
    this.#lastProgressMs = performance.now();
  }

  #guard(act: () => number | Promise<number>): Promise<void> | undefined {
    if (this.#isBroken) return undefined;
    const setBroken = (): void => {
      this.#isBroken = true;
    };
    try {
      const done = act();
      if (typeof done === "number") return undefined;
      return Promise.resolve(done).then(() => undefined, setBroken);
    } catch {
      setBroken();
      return undefined;
    }
  }
}
