import type { Instant } from "#meter/calls/call.ts";
import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/message.ts";

// `true` forwards the line, `false` drops it, lines replace it.
export type Passing = boolean | readonly Uint8Array[];

export type Insert = (to: Side, line: Uint8Array) => void;

// No method throws or blocks.
export type Judge = {
  // If `hasPassed`, the line can only be counted and the result is ignored. `at` is its arrival time, if
  // it had to wait.
  line(from: Side, line: Line, hasPassed: boolean, at?: Instant): Passing;
  holds(from: Side): boolean;
  // Set while the judge is not open or its backlog is too long; forwarded lines should wait for it.
  room(): Promise<void> | undefined;
  // Set while lines wait for answers of counters; resolves when all are decided.
  waiting(): Promise<void> | undefined;
  passed(lines: number): void;
  eof(): void;
  interrupted(): void;
  // From now on, no line waits, and texts are priced by their length.
  hurry(): void;
  // No time is left: forwarded lines are counted as skipped, and waiting lines are withheld.
  giveUp(): void;
  skip(bytes: number): void; // forwarded bytes will not be judged
  countUntil(ms: number): void; // monotonic deadline for counting the remaining texts
  note(where: string, what: string): void; // a dependency of the judge failed; it continues
  connect(insert: Insert): void;
};

type LateJudgeOptions = {
  readonly open: () => Promise<Judge>;
  // No byte is read before the judge is open, because lines may have to be decided before they pass.
  readonly isGating: boolean;
  readonly failed: (error: unknown) => void;
};

const passing: Judge = {
  line: () => true,
  holds: () => false,
  room: () => undefined,
  waiting: () => undefined,
  passed: () => undefined,
  eof: () => undefined,
  interrupted: () => undefined,
  hurry: () => undefined,
  giveUp: () => undefined,
  skip: () => undefined,
  countUntil: () => undefined,
  note: () => undefined,
  connect: () => undefined,
};

/** Opened by the first line, or before the first byte where lines may be held. Later lines wait, in order. */
export class LateJudge implements Judge {
  readonly #options: LateJudgeOptions;
  readonly isGating: boolean;
  #judge: Judge | undefined;
  #opening: Promise<void> | undefined;
  #insert: Insert = () => undefined;
  #missed: ((judge: Judge) => void)[] = [];

  constructor(options: LateJudgeOptions) {
    this.#options = options;
    this.isGating = options.isGating;
  }

  ready(): Promise<void> | undefined {
    return this.#options.isGating ? this.#open() : undefined;
  }

  connect(insert: Insert): void {
    this.#insert = insert;
    this.#judge?.connect(insert);
  }

  holds(from: Side): boolean {
    return this.#judge?.holds(from) ?? false;
  }

  line(from: Side, line: Line, hasPassed: boolean, at?: Instant): Passing {
    return this.#judge?.line(from, line, hasPassed, at) ?? true;
  }

  room(): Promise<void> | undefined {
    return this.#judge ? this.#judge.room() : this.#open();
  }

  waiting(): Promise<void> | undefined {
    return this.#judge?.waiting();
  }

  passed(lines: number): void {
    this.#judge?.passed(lines);
  }

  eof(): void {
    this.#notify((judge) => judge.eof());
  }

  interrupted(): void {
    this.#notify((judge) => judge.interrupted());
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

  note(where: string, what: string): void {
    this.#notify((judge) => judge.note(where, what));
  }

  #notify(event: (judge: Judge) => void): void {
    if (this.#judge) event(this.#judge);
    else this.#missed.push(event);
  }

  #open(): Promise<void> {
    this.#opening ??= this.#openNow();
    return this.#opening;
  }

  async #openNow(): Promise<void> {
    let judge = passing;
    try {
      judge = await this.#options.open();
    } catch (error) {
      this.#options.failed(error);
    }
    this.#judge = judge;
    judge.connect(this.#insert);
    // After the lines that came first.
    setImmediate(() => {
      for (const event of this.#missed.splice(0)) event(judge);
    });
  }
}
