import type { MeterOptions } from "./event.ts";
import { LockWatch } from "#lock/lock-watch.ts";
import type { RecordBody } from "#records/record.ts";
import { Unlisted } from "#budgets/unmatched.ts";

/** Looks at every list a server gives: is it as locked, and does each budget have its tools in it. */
export class ListWatch {
  readonly lock: LockWatch | undefined;
  readonly #unlisted: Unlisted;

  constructor({ lock, enforcement }: MeterOptions) {
    this.lock = lock && new LockWatch(lock);
    this.#unlisted = new Unlisted(enforcement?.budgets ?? []);
  }

  /** Alerts that a definitions record calls for. */
  see(body: RecordBody): RecordBody[] {
    return [...(this.lock?.see(body) ?? []), ...this.#unlisted.see(body)];
  }
}
