import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeLock } from "./lock.ts";
import { findOptionSet } from "./option-sets.ts";
import { violationsIn } from "./oracles/index.ts";
import type { Violation } from "./oracles/violation.ts";
import { playScript } from "./player.ts";
import type { Play } from "./script.ts";
import type { Transcript } from "./transcript.ts";

/** A play that was played: what was observed, and which promises were broken. */
export type Played = {
  readonly transcripts: readonly Transcript[];
  readonly violations: readonly Violation[];
};

/** Plays plays, each in a temporary folder of its own, which is removed afterwards. */
export class Arena implements Disposable {
  readonly #executable: string;
  readonly #dir = mkdtempSync(join(tmpdir(), "fuzz-"));
  #lock: string | undefined;
  #count = 0;

  constructor(executable: string) {
    this.#executable = executable;
  }

  async play({ set: name, scripts }: Play): Promise<Played> {
    const set = findOptionSet(name);
    this.#count += 1;
    const dir = join(this.#dir, String(this.#count));
    mkdirSync(dir);
    const lock = set.isLocked ? this.#lockFile(set.counter) : "";
    const place = { executable: this.#executable, dir, lock };
    const transcripts: Transcript[] = [];
    try {
      for (const [index, script] of scripts.entries()) {
        transcripts.push(await playScript(script, set, place, String(index)));
      }
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
    return { transcripts, violations: violationsIn(transcripts) };
  }

  [Symbol.dispose](): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  #lockFile(tokenizer: string): string {
    this.#lock ??= writeLock(this.#executable, this.#dir, tokenizer);
    return this.#lock;
  }
}
