import { setBounded, nameCharactersMax } from "#kit/limits.ts";
import type { Call, Tally } from "./call.ts";

export const suspendedCallsMax = 4_096;

export type TaskOwner = {
  readonly method: string;
  readonly tool: string | null;
  readonly tally: Tally;
  readonly isForApp: boolean;
};

export type TaskChange = {
  readonly step: TaskStep;
  readonly older: Call | undefined;
  readonly owner: TaskOwner | undefined; // a call that created or mentioned the task, if known
  readonly displaced: Call | undefined; // abandoned to make room
};

export class Tasks {
  readonly #hash: (text: string) => string;
  readonly #waiting = new Map<string, Call>();
  readonly #ended = new Map<string, TaskOwner | undefined>(); // undefined for a shared task

  constructor(hash: (text: string) => string) {
    this.#hash = hash;
  }

  // `newer` is the call whose answer creates or mentions the task; `older` already waits for the task.
  take(taskId: string | undefined, event: TaskEvent, newer?: Call): TaskChange {
    if (taskId === undefined) {
      const step = taskSteps.unknown[event];
      return { step, older: undefined, owner: undefined, displaced: undefined };
    }
    const key = this.#makeKey(taskId);
    const stage = this.#findStage(key);
    const step = taskSteps[stage][event];
    const older = this.#waiting.get(key);
    const owner = older
      ? describeOwner(older)
      : (this.#ended.get(key) ?? (newer && describeOwner(newer)));
    const displaced =
      step.next === stage ? undefined : this.#move(key, step.next, { newer, owner });
    return { step, older, owner, displaced };
  }

  drain(): Call[] {
    const calls = [...this.#waiting.values()];
    this.#waiting.clear();
    return calls;
  }

  #makeKey(taskId: string): string {
    return taskId.length <= nameCharactersMax ? taskId : `sha256 ${this.#hash(taskId)}`;
  }

  #findStage(key: string): TaskStage {
    if (this.#waiting.has(key)) return "waiting";
    if (!this.#ended.has(key)) return "unknown";
    return this.#ended.get(key) ? "over" : "shared";
  }

  #move(
    key: string,
    next: TaskStage,
    { newer, owner }: { readonly newer: Call | undefined; readonly owner: TaskOwner | undefined },
  ): Call | undefined {
    this.#waiting.delete(key);
    this.#ended.delete(key);
    if (next === "waiting" && newer) this.#waiting.set(key, newer);
    else this.#end(key, next === "shared" ? undefined : owner);
    if (this.#waiting.size <= suspendedCallsMax) return undefined;
    const [oldest] = this.#waiting;
    if (!oldest) return undefined;
    this.#waiting.delete(oldest[0]);
    this.#end(oldest[0], describeOwner(oldest[1]));
    return oldest[1];
  }

  #end(key: string, owner: TaskOwner | undefined): void {
    setBounded(this.#ended, key, owner, suspendedCallsMax);
  }
}

function describeOwner({ method, request, tally, isForApp }: Call): TaskOwner {
  return { method, tool: request.tool, tally, isForApp };
}

export type TaskStage =
  | "unknown" // no answer created or mentioned the task, or it was forgotten because too many others ended after it
  | "waiting"
  | "over"
  | "shared"; // several calls were answered with the task, so its results belong to none of the calls

export type TaskEvent =
  | "created"
  | "mentioned" // by an answer that also has content
  | "status"
  | "cancelled"
  | "delivered";

type TaskStep = {
  readonly next: TaskStage;
  readonly older?: "abandoned" | "cancelled" | "answered";
  readonly newer?: "waits" | "abandoned" | "answered";
  // The budgets that limit the result and are charged for it. Only for the event `delivered`.
  readonly charged?: "its call" | "its tool" | "every tool";
};

/** No result is free: a repeated or late one is charged to its tool, or to every tool if its tool is unknown. */
export const taskSteps: {
  readonly [stage in TaskStage]: { readonly [event in TaskEvent]: TaskStep };
} = {
  unknown: {
    created: { next: "waiting", newer: "waits" },
    mentioned: { next: "over", newer: "answered" },
    status: { next: "unknown" },
    cancelled: { next: "unknown" },
    delivered: { next: "unknown", charged: "every tool" },
  },
  waiting: {
    created: { next: "shared", older: "abandoned", newer: "abandoned" },
    mentioned: { next: "shared", older: "abandoned", newer: "answered" },
    status: { next: "waiting" },
    cancelled: { next: "over", older: "cancelled" },
    delivered: { next: "over", older: "answered", charged: "its call" },
  },
  over: {
    created: { next: "shared", newer: "abandoned" },
    mentioned: { next: "shared", newer: "answered" },
    status: { next: "over" },
    cancelled: { next: "over" },
    delivered: { next: "over", charged: "its tool" },
  },
  shared: {
    created: { next: "shared", newer: "abandoned" },
    mentioned: { next: "shared", newer: "answered" },
    status: { next: "shared" },
    cancelled: { next: "shared" },
    delivered: { next: "shared", charged: "every tool" },
  },
};
