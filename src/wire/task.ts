import { hasAnswer } from "./answer.ts";
import { nameCharactersMax } from "#limits.ts";
import { memberAt, textAt } from "./json.ts";

/** A task's progress, from a result or a notification of either kind of task. */
export type TaskState = {
  readonly taskId: string;
  readonly status: string | undefined;
  /** Final result of a 2026 task. */
  readonly result: unknown;
  readonly error: unknown;
};

/**
 * The handle a server gives instead of a result: `task` (2025-11-25) or `resultType: "task"` (2026). What
 * brings an answer along is no handle: a client of the other era reads the answer.
 */
export function createdTask(result: unknown): TaskState | undefined {
  if (hasAnswer(result)) return undefined;
  if (textAt(result, "resultType") === "task") return taskState(result);
  const task = memberAt(result, "task");
  return memberAt(result, "content") === undefined ? taskState(task) : undefined;
}

export function taskState(value: unknown): TaskState | undefined {
  const taskId = textAt(value, "taskId");
  if (taskId === undefined || taskId.length > nameCharactersMax) return undefined;
  const [status, result, error] = [
    textAt(value, "status"),
    memberAt(value, "result"),
    memberAt(value, "error"),
  ];
  return { taskId, status, result, error };
}
