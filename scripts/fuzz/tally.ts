import { linesOf } from "./reading.ts";
import type { Reproduction } from "./reproduction.ts";
import type { Transcript } from "./transcript.ts";

/** A violation and the file that reproduces it. */
export type Finding = Reproduction & { readonly file: string };

/** The figures of a run. */
export class Tally {
  plays = 0;
  sessions = 0;
  messages = 0;
  bytes = 0;
  readonly findings: Finding[] = [];
  readonly #startedMs = performance.now();

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1_000;
  }

  add(transcripts: readonly Transcript[]): void {
    this.plays += 1;
    for (const { clientSent, serverSent } of transcripts) {
      this.sessions += 1;
      this.messages += linesOf(clientSent).length + linesOf(serverSent).length;
      this.bytes += clientSent.length + serverSent.length;
    }
  }

  /** One line for a person. */
  describe(seed: number): string {
    const violations = `${this.findings.length} violation${this.findings.length === 1 ? "" : "s"}`;
    return (
      `${Math.round(this.seconds)} s, ${this.sessions} sessions, ${this.messages} messages, ` +
      `${Math.round(this.bytes / 1e6)} MB, ${violations}, seed ${seed}`
    );
  }
}
