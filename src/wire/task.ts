import { nameCharactersMax } from "#limits.ts";
import { hasAnswer } from "./answer.ts";
import { memberAt, textAt } from "./json.ts";

/** State of a task, from a result or a notification of either era. */
export type TaskState = {
  readonly taskId: string;
  readonly status: string | undefined;
  /** Final result of a 2026 task. */
  readonly result: unknown;
  readonly error: unknown;
};

/**
 * The task that a server creates instead of a result: `task` (2025-11-25) or `resultType: "task"` (2026). A
 * result with an answer does not create one: a client of the other era reads the answer.
 */
export function createdTask(result: unknown): TaskState | undefined {
  if (hasAnswer(result)) return undefined;
  if (textAt(result, "resultType") === "task") return taskState(result);
  const task = memberAt(result, "task");
  return memberAt(result, "content") === undefined ? taskState(task) : undefined;
}

/** The state that a task object describes; undefined without an id of acceptable length. */
export function taskState(task: unknown): TaskState | undefined {
  const taskId = textAt(task, "taskId");
  if (taskId === undefined || taskId.length > nameCharactersMax) return undefined;
  return {
    taskId,
    status: textAt(task, "status"),
    result: memberAt(task, "result"),
    error: memberAt(task, "error"),
  };
}
