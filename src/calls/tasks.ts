import { suspendedCallsMax } from "#limits.ts";
import type { Call } from "./call.ts";

/** Calls that were answered with a task and wait for its result. Bounded: the oldest is given up. */
export class Tasks {
  readonly #calls = new Map<string, Call>();

  has(taskId: string | undefined): boolean {
    return taskId !== undefined && this.#calls.has(taskId);
  }

  get(taskId: string): Call | undefined {
    return this.#calls.get(taskId);
  }

  /**
   * Keeps a call until its task ends; returns the call that was given up for it: a
   * server that gives two tasks one id must not make the first call vanish.
   */
  remember(taskId: string, call: Call): Call | undefined {
    const replaced = this.take(taskId);
    this.#calls.set(taskId, call);
    if (replaced) return replaced === call ? undefined : replaced;
    if (this.#calls.size <= suspendedCallsMax) return undefined;
    return this.take(this.#calls.keys().next().value);
  }

  /** The call of a task, no longer waiting. */
  take(taskId: string | undefined): Call | undefined {
    if (taskId === undefined) return undefined;
    const call = this.#calls.get(taskId);
    this.#calls.delete(taskId);
    return call;
  }

  /** Everything that still waits, forgotten here. */
  drain(): Call[] {
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    return calls;
  }
}
