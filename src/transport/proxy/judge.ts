import type { Instant } from "#meter/calls/instant.ts";
import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/side.ts";

/** True forwards the line, false drops it, our lines replace it. */
export type Passing = boolean | readonly Uint8Array[];

export type Insert = (to: Side, line: Uint8Array) => void;

/** Never throws, never waits. */
export type Judge = {
  /** A line that `hasPassed` can only be counted; the result is ignored. `at` is its arrival, if it had to wait. */
  line(from: Side, line: Line, hasPassed: boolean, at?: Instant): Passing;
  holds(from: Side): boolean;
  /** Set while the judge is not open or too much waits to be counted; lines that have passed should wait. */
  room(): Promise<void> | undefined;
  /** Set while lines wait for the answers of counters; resolves when all are decided. */
  waiting(): Promise<void> | undefined;
  passed(lines: number): void;
  eof(): void;
  interrupted(): void;
  /** From now on no line waits for room, and texts are priced by their length. */
  hurry(): void;
  /** No time is left to judge: lines that have passed are only counted as skipped, and lines that wait are kept back. */
  giveUp(): void;
  /** Bytes that have passed will not be judged. */
  skip(bytes: number): void;
  /** Texts that are left to count have time until then, on the monotonic clock. */
  countUntil(ms: number): void;
  /** Something that the judge needs has failed; it continues. */
  note(where: string, what: string): void;
  connect(insert: Insert): void;
};
