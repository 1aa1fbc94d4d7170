/** The stage of a task id. The ids of the client's tasks and of the server's are apart. */
export type TaskStage =
  /** No answer of this session created it, or too many were created since. */
  | "unknown"
  | "waiting"
  | "over"
  /** Several calls were answered with it, so its results belong to none of them for certain. */
  | "shared";

export type TaskEvent =
  | "created"
  /** The answer to a call names it and is an answer all the same: it has content of its own. */
  | "mentioned"
  | "status"
  | "cancelled"
  | "delivered";

export type TaskStep = {
  readonly next: TaskStage;
  readonly older?: "abandoned" | "cancelled" | "answered";
  readonly newer?: "waits" | "abandoned" | "answered";
  /** The budgets that a result is charged to; it passes when it fits them. Everything else passes. */
  readonly charged?: "its call" | "its tool" | "every tool";
};

/**
 * The life of a task id, the same for both eras and both sides. A result is never free: the first one is
 * charged to the call that waits; one that comes again, or after the call ended, is a call of its own
 * under the same tool; one whose tool is not certain is under the budgets of every tool.
 */
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
