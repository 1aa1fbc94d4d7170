import { nameCharactersMax } from "#kit/limits.ts";
import { suspendedCallsMax } from "../limits.ts";
import type { Origin } from "./arrival.ts";
import type { Call } from "./call.ts";
import { entriesOf, type InnerAnswer, requestInside } from "./inner-requests.ts";

/**
 * Requests inside the tasks of one side (revision 2026-07-28): a state brings them, again with every poll, and
 * `tasks/update` answers them. Their keys are unique in the life of a task. Bounded: the oldest is forgotten.
 */
export class TaskInputs {
  readonly #hash: (text: string) => string;
  readonly #calls = new Map<string, Call | undefined>();

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  require(taskId: string | undefined, rawRequests: unknown, origin: Origin): void {
    if (taskId === undefined) return;
    for (const [name, entry] of entriesOf(rawRequests)) {
      const key = this.#keyOf(taskId, name);
      const call = this.#calls.has(key) ? undefined : requestInside(entry, origin);
      if (call) this.#add(key, call);
    }
  }

  provide(taskId: string | undefined, rawResponses: unknown): InnerAnswer[] {
    if (taskId === undefined || this.#calls.size === 0) return [];
    return entriesOf(rawResponses).flatMap(([name, result]) => {
      const key = this.#keyOf(taskId, name);
      const call = this.#calls.get(key);
      if (!call) return [];
      this.#calls.set(key, undefined);
      call.addAnswer(0, false);
      return [{ call, result }];
    });
  }

  #add(key: string, call: Call): void {
    this.#calls.set(key, call);
    if (this.#calls.size <= suspendedCallsMax) return;
    const [oldest] = this.#calls.keys();
    if (oldest !== undefined) this.#calls.delete(oldest);
  }

  #keyOf(taskId: string, name: string): string {
    const key = JSON.stringify([taskId, name]);
    return key.length <= nameCharactersMax ? key : `sha256 ${this.#hash(key)}`;
  }
}
