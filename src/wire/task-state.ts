import { readMember, readString } from "./json.ts";
import { hasAnswer } from "./parse-message.ts";

export type TaskResult = { readonly result?: unknown; readonly error?: unknown };

export type TaskState = {
  readonly taskId: string | undefined;
  readonly status: string | undefined;
  readonly ended: TaskResult | undefined;
};

export type CreatedTask = TaskState & {
  readonly taskId: string;
  readonly isAnswer: boolean; // the result also has content, which a client of the other era reads
  readonly isTopLevel: boolean; // the result is the task (2026), not its member `task` (2025-11-25)
  readonly immediate: string | undefined; // read by the model until the task ends (2025-11-25)
};

const immediateKey = "io.modelcontextprotocol/model-immediate-response";

// `task` (2025-11-25) or `resultType: "task"` (2026).
export function readCreatedTask(result: unknown): CreatedTask | undefined {
  const isTopLevel = readString(result, "resultType") === "task";
  const state = readTaskState(isTopLevel ? result : readMember(result, "task"));
  const { taskId } = state;
  return taskId === undefined
    ? undefined
    : {
        ...state,
        taskId,
        isAnswer: hasAnswer(result),
        isTopLevel,
        immediate: readString(result, "_meta", immediateKey),
      };
}

// A null member counts as absent.
export function readTaskState(task: unknown): TaskState {
  return {
    taskId: readString(task, "taskId"),
    status: readString(task, "status"),
    ended: makeTaskResult(
      readMember(task, "result") ?? undefined,
      readMember(task, "error") ?? undefined,
    ),
  };
}

function makeTaskResult(result: unknown, error: unknown): TaskResult | undefined {
  if (error === undefined) return result === undefined ? undefined : { result };
  return result === undefined ? { error } : { result, error };
}
