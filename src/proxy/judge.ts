import type { Instant } from "#calls/instant.ts";
import type { Line } from "#wire/line.ts";
import type { Side } from "#wire/side.ts";

/** The fate of a line: true forwards it as it is, false drops it, our lines go in its place. */
export type Passing = boolean | readonly Uint8Array[];

/** Puts one of our lines between the lines that go to that side. */
export type Insert = (to: Side, line: Uint8Array) => void;

/** Decides about the lines of both directions. Never throws, never waits. */
export type Judge = {
  /**
   * Decides about a line; one that `hasPassed` can only be counted, and the result is ignored. `at` is the time of its
   * arrival, if it had to wait.
   */
  line(from: Side, line: Line, hasPassed: boolean, at?: Instant): Passing;
  /** True when lines of that side must be decided before they pass. */
  holds(from: Side): boolean;
  /**
   * A promise while no line can be judged: the judge is not open yet, or too much waits to be counted. Lines that have
   * passed should wait for it.
   */
  room(): Promise<void> | undefined;
  /** A promise while lines wait for the answers of counters; it resolves when all are decided. */
  waiting(): Promise<void> | undefined;
  /** `lines` held lines were written; runs deferred work. */
  passed(lines: number): void;
  /** The client closed its end. */
  eof(): void;
  /** A signal that asks for the end was forwarded. */
  interrupted(): void;
  /** No time is left to count: from now on no line waits for room, and texts are priced by their length. */
  hurry(): void;
  /** Something that the judge needs has failed; it continues. */
  note(where: string, what: string): void;
  /** Called once, before the first line. */
  connect(insert: Insert): void;
};
