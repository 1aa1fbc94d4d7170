import { reportSessionsMax } from "#kit/limits.ts";
import type { MeterRecord } from "#records/record.ts";
import { SeenNumbers, SeenRoom } from "./seen-numbers.ts";

export class SeenRecords {
  readonly #room = new SeenRoom();
  readonly #sessions = new Map<string, SeenNumbers>();

  /** False also when there is no room to know it. */
  isNew({ session_id: id, seq }: Pick<MeterRecord, "session_id" | "seq">): boolean {
    const known = this.#sessions.get(id);
    if (!known && this.#sessions.size >= reportSessionsMax) return false;
    const seen = known ?? new SeenNumbers(this.#room);
    this.#sessions.set(id, seen);
    return seen.add(seq) === "new";
  }
}
