import { nameCharactersMax } from "#limits.ts";
import { arrayAt, isObject, memberAt, textAt } from "./json.ts";
import type { Id } from "./message.ts";

/** Name and version of a client or a server, as it introduced itself. */
export type Implementation = { readonly name: string; readonly version: string | undefined };

/** `legacy` began with `initialize`; `modern` is stateless, revision 2026-07-28 and later. */
export type Era = "legacy" | "modern";

const protocolVersionKey = "io.modelcontextprotocol/protocolVersion";
const clientInfoKey = "io.modelcontextprotocol/clientInfo";
const serverInfoKey = "io.modelcontextprotocol/serverInfo";

/** What a request tells about its sender; a member is undefined where it tells nothing. */
export type ClientIntroduction = {
  readonly era: Era;
  readonly client: Implementation | undefined;
  readonly protocolVersion: string | undefined;
};

/** Reads who asks: from `initialize` in the legacy era, from `_meta` of any request in the modern one. */
export function introducedClient(method: string, params: unknown): ClientIntroduction | undefined {
  if (method === "initialize") {
    return {
      era: "legacy",
      client: implementation(memberAt(params, "clientInfo")),
      protocolVersion: bounded(textAt(params, "protocolVersion")),
    };
  }
  const protocolVersion = bounded(textAt(params, "_meta", protocolVersionKey));
  if (protocolVersion === undefined) return undefined;
  const client = implementation(memberAt(params, "_meta", clientInfoKey));
  return { era: "modern", client, protocolVersion };
}

/** What a result tells about the server. */
export type ServerIntroduction = {
  readonly server: Implementation | undefined;
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
};

/** Reads who answers: `serverInfo` and instructions of a handshake, `_meta` of any modern result. */
export function introducedServer(method: string, result: unknown): ServerIntroduction | undefined {
  const handshake = method === "initialize" || method === "server/discover";
  const rawServer = memberAt(result, "_meta", serverInfoKey) ?? memberAt(result, "serverInfo");
  if (!handshake && rawServer === undefined) return undefined;
  return {
    server: implementation(rawServer),
    protocolVersion: handshake ? bounded(textAt(result, "protocolVersion")) : undefined,
    instructions: handshake ? textAt(result, "instructions") : undefined,
  };
}

/** The request that a `notifications/cancelled` takes back. */
export function cancelledId(params: unknown): Id | undefined {
  const value = memberAt(params, "requestId");
  return typeof value === "string" || typeof value === "number" ? { value } : undefined;
}

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

function hasAnswer(result: unknown): boolean {
  const isFilled = (member: string): boolean => arrayAt(result, member).length > 0;
  return memberAt(result, "structuredContent") !== undefined || answerLists.some(isFilled);
}

const answerLists = ["content", "contents", "messages"];

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

/** One side of a multi-round trip: what the server asks for, or what the client answers. */
export type InputRound = { readonly requestState: string | undefined; readonly entries: unknown };

/** The server's half of a multi-round trip: a result that asks the client for more, and answers nothing. */
export function inputRequired(result: unknown): InputRound | undefined {
  if (textAt(result, "resultType") !== "input_required" || hasAnswer(result)) return undefined;
  return {
    requestState: textAt(result, "requestState"),
    entries: memberAt(result, "inputRequests"),
  };
}

/** The client's half: a request that carries what was asked for. */
export function inputProvided(params: unknown): InputRound | undefined {
  const requestState = textAt(params, "requestState");
  const entries = memberAt(params, "inputResponses");
  return requestState === undefined && entries === undefined
    ? undefined
    : { requestState, entries };
}

/** A value without its `_meta`, which no model reads. */
export function withoutMeta(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "_meta")) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "_meta"));
}

function implementation(value: unknown): Implementation | undefined {
  const name = bounded(textAt(value, "name"));
  if (name === undefined || name === "") return undefined;
  return { name, version: bounded(textAt(value, "version")) };
}

function bounded(text: string | undefined): string | undefined {
  return text?.slice(0, nameCharactersMax);
}
