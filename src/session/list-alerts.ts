import { UnmatchedBudgets } from "#budgets/unmatched.ts";
import { LockWatch } from "#lock/lock-watch.ts";
import type { RecordBody } from "#records/record.ts";
import type { MeterOptions } from "./event.ts";

/** Compares every list of tools with the lock and with the names that budgets have. */
export class ListAlerts {
  readonly #lock: LockWatch | undefined;
  readonly #budgets: UnmatchedBudgets;

  constructor({ lock, gate }: Pick<MeterOptions, "lock" | "gate">) {
    this.#lock = lock && new LockWatch(lock);
    this.#budgets = new UnmatchedBudgets(gate?.budgets ?? []);
  }

  /** The alerts that a definitions record calls for. */
  for(body: RecordBody): RecordBody[] {
    return [...(this.#lock?.alertsFor(body) ?? []), ...this.#budgets.alertsFor(body)];
  }
}
