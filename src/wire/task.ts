import { hasAnswer } from "./answer-form.ts";
import { readMember, readString } from "./json.ts";
import type { Id } from "./message.ts";

export type TaskResult = { readonly result?: unknown; readonly error?: unknown };

export type TaskState = {
  readonly taskId: string | undefined;
  readonly status: string | undefined;
  readonly ended: TaskResult | undefined;
};

export type CreatedTask = TaskState & {
  readonly taskId: string;
  // The result also has content, which a client of the other era reads.
  readonly isAnswer: boolean;
  readonly isWhole: boolean; // the result is the task (2026), not its member `task` (2025-11-25)
  // Shown to the model until the task has ended (2025-11-25).
  readonly immediate: string | undefined;
};

const immediateKey = "io.modelcontextprotocol/model-immediate-response";

// `task` (2025-11-25) or `resultType: "task"` (2026).
export function readCreatedTask(result: unknown): CreatedTask | undefined {
  const isWhole = readString(result, "resultType") === "task";
  const state = readTaskState(isWhole ? result : readMember(result, "task"));
  const { taskId } = state;
  return taskId === undefined
    ? undefined
    : {
        ...state,
        taskId,
        isAnswer: hasAnswer(result),
        isWhole,
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

// One half of a round trip: the server's input requests or the client's responses.
export type InputRound = { readonly requestState: string | undefined; readonly entries: unknown };

export function readInputRequest(result: unknown): InputRound | undefined {
  if (readString(result, "resultType") !== "input_required" || hasAnswer(result)) return undefined;
  return {
    requestState: readString(result, "requestState"),
    entries: readMember(result, "inputRequests"),
  };
}

export function readInputResponse(params: unknown): InputRound | undefined {
  const requestState = readString(params, "requestState");
  const entries = readMember(params, "inputResponses");
  const isAbsent = requestState === undefined && entries === undefined;
  return isAbsent ? undefined : { requestState, entries };
}

export function readCancelledId(params: unknown): Id | undefined {
  const value = readMember(params, "requestId");
  return typeof value === "string" || typeof value === "number" ? { value } : undefined;
}
