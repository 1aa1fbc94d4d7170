import type { Instant } from "#meter/calls/instant.ts";
import { forwardedReadBytesMax, lineHeadBytes, lineObservedBytesMax } from "#kit/limits.ts";
import { turnCheckLines } from "../limits.ts";
import { joinBytes } from "#wire/bytes.ts";
import { type Line, LineSplitter } from "#wire/line.ts";
import type { Side } from "#wire/side.ts";
import type { Judge, Passing } from "./judge.ts";
import { now } from "./now.ts";
import type { Outbox } from "./outbox.ts";
import type { OverflowFile } from "#state/storage/overflow-file.ts";
import type { LineScheduler } from "./line-scheduler.ts";

export type LaneParts = {
  readonly from: Side;
  readonly outbox: Outbox;
  readonly judge: Pick<Judge, "line" | "holds" | "passed" | "room" | "skip">;
  readonly scheduler: LineScheduler;
  readonly overflow: OverflowFile;
};

type Judged = { readonly line: Line; readonly passing: Passing };

// An open lane forwards, then judges; a holding lane judges line by line. It changes only between two lines.
export class Lane {
  readonly #from: Side;
  readonly #outbox: Outbox;
  readonly #scheduler: LineScheduler;
  readonly #judge: LaneParts["judge"];
  readonly #overflow: OverflowFile;
  readonly #splitter: LineSplitter;
  #isHolding = false;

  constructor({ from, outbox, scheduler, judge, overflow }: LaneParts) {
    this.#from = from;
    this.#outbox = outbox;
    this.#scheduler = scheduler;
    this.#judge = judge;
    this.#overflow = overflow;
    // The bytes of an open line have passed; only a held line must be read again.
    const append = (part: Uint8Array): void => {
      if (this.#isHolding) overflow.append(part);
    };
    this.#splitter = new LineSplitter(lineObservedBytesMax, { append });
  }

  push(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#splitter.atBoundary) this.#isHolding = this.#judge.holds(this.#from);
    return this.#isHolding
      ? this.#pushHeld(this.#splitter.pushGrouped(chunk))
      : this.#pushOpen(chunk, this.#splitter.pushGrouped(chunk));
  }

  /** The unfinished line goes out, the pipe stays open. */
  end(): Promise<void> | undefined {
    const last = this.#splitter.end();
    if (!last) return undefined;
    if (this.#isHolding) return this.#pushHeld([last]);
    const at = now();
    if (this.#isLong([last])) void this.#scheduler.defer(() => this.#judgeMany([last], at));
    else this.#judge.line(this.#from, last, true);
    return undefined;
  }

  /** Nothing more is read: the part of an unfinished line that has passed is not judged. */
  leave(): void {
    const rest = this.#splitter.end();
    if (rest && !this.#isHolding) this.#judge.skip(rest.size);
  }

  #pushOpen(chunk: Uint8Array, lines: readonly Line[]): Promise<void> | undefined {
    const taken = this.#outbox.write(chunk);
    if (this.#isLong(lines)) {
      const forwarded = { from: this.#from, bytes: keptBytes(lines) };
      const at = now();
      void this.#scheduler.defer(() => this.#judgeMany(lines, at), forwarded);
    } else {
      for (const line of lines) this.#judge.line(this.#from, line, true);
    }
    // A burst passes at once and is judged meanwhile; only a flood waits.
    return both(taken, this.#scheduler.caughtUp(this.#from));
  }

  /** Too many for one turn, or the judge or other lines come first. */
  #isLong(lines: readonly Line[]): boolean {
    if (lines.length === 0) return false;
    if (lines.length > turnCheckLines || this.#scheduler.isBusy) return true;
    return this.#judge.room() !== undefined;
  }

  async #judgeMany(lines: readonly Line[], at: Instant): Promise<void> {
    for (const [index, line] of lines.entries()) {
      const room = this.#judge.room();
      if (room) await room;
      this.#judge.line(this.#from, line, true, at);
      if (index % turnCheckLines === 0 && this.#scheduler.shouldYield)
        await this.#scheduler.nextTurn();
    }
  }

  #pushHeld(lines: readonly Line[]): Promise<void> | undefined {
    if (this.#isLong(lines) || lines.some((line) => !line.bytes)) {
      return this.#passMany(lines);
    }
    const taken = this.#outbox.write(
      joinBytes(lines.flatMap((line) => bytesOf(this.#judged(line)))),
    );
    this.#judge.passed(lines.length);
    return both(taken, this.#judge.room());
  }

  /** Judges all before it forwards the first: a slow reader must not delay the other side's judging. */
  async #passMany(lines: readonly Line[]): Promise<void> {
    const judged: Judged[] = [];
    await this.#scheduler.defer(async () => {
      for (const [index, line] of lines.entries()) {
        judged.push(this.#judged(line));
        if (index % turnCheckLines === 0 && this.#scheduler.shouldYield)
          await this.#scheduler.nextTurn();
      }
    });
    for (const group of writeGroups(judged)) {
      for (const { line, passing } of group) {
        // The overflow file holds the line, and is emptied in any case.
        if (!line.bytes) await this.#overflow.drain(passing === true ? this.#outbox : undefined);
      }
      const bytes = group.flatMap(bytesOf);
      if (bytes.length > 0) await this.#outbox.write(joinBytes(bytes));
      this.#judge.passed(group.length);
    }
    await this.#judge.room();
  }

  #judged(line: Line): Judged {
    return { line, passing: this.#judge.line(this.#from, line, false) };
  }
}

/** Short lines up to a size together, and each that is not in memory alone. */
function* writeGroups(judged: readonly Judged[]): Generator<readonly Judged[]> {
  let group: Judged[] = [];
  let size = 0;
  for (const one of judged) {
    const isAlone = one.line.bytes === undefined;
    if (group.length > 0 && (isAlone || size >= forwardedReadBytesMax)) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(one);
    size += isAlone ? Infinity : one.line.size;
  }
  if (group.length > 0) yield group;
}

function bytesOf({ line, passing }: Judged): readonly Uint8Array[] {
  if (passing === true) return line.bytes ? [line.bytes] : [];
  return passing === false ? [] : passing;
}

/** In memory, a short line takes more than its bytes. */
function keptBytes(lines: readonly Line[]): number {
  return lines.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), lines.length * lineHeadBytes);
}

function both(
  one: Promise<void> | undefined,
  other: Promise<void> | undefined,
): Promise<void> | undefined {
  return one && other ? Promise.all([one, other]).then(() => undefined) : (one ?? other);
}
