import { tryParseJson } from "#kit/errors.ts";
import { parseTraceParent } from "#wire/message.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { readMember, readString } from "#wire/json.ts";

export const turnMetadataCharactersMax = 4_096;

// The sender as `_meta` of a request describes it: the model, and ids that the client also logs.
export type Caller = {
  readonly callId?: string;
  readonly model?: string;
  readonly threadId?: string;
  readonly sessionId?: string;
  readonly turnId?: string;
  readonly traceParent?: string;
};

export const noCaller: Caller = {};

export function readCaller(params: unknown): Caller {
  if (readMember(params, "_meta") === undefined) return noCaller;
  const turn = parseTurn(params);
  const readMeta = (name: string): string | undefined => readString(params, "_meta", name);
  return {
    ...keepUsable("callId", readMeta("claudecode/toolUseId") ?? readMeta("callId")),
    ...keepUsable("model", readString(turn, "model")),
    ...keepUsable("threadId", readMeta("threadId") ?? readString(turn, "thread_id")),
    ...keepUsable("sessionId", readMeta("sessionId") ?? readString(turn, "session_id")),
    ...keepUsable("turnId", readMeta("turn_id") ?? readString(turn, "turn_id")),
    ...keepUsable("traceParent", filterTraceParent(readMeta("traceparent"))),
  };
}

function keepUsable(name: keyof Caller, text: string | undefined): Caller {
  const isUsable = text !== undefined && text !== "" && text.length <= nameCharactersMax;
  return isUsable ? { [name]: text } : {};
}

// A text that is not a valid traceparent must not get into the records.
function filterTraceParent(text: string | undefined): string | undefined {
  return text !== undefined && parseTraceParent(text) ? text : undefined;
}

// Codex sends an object, or JSON in a string.
function parseTurn(params: unknown): unknown {
  const json = readString(params, "_meta", turnMetadataKey);
  if (json === undefined) return readMember(params, "_meta", turnMetadataKey);
  return json.length > turnMetadataCharactersMax ? undefined : tryParseJson(json);
}

const turnMetadataKey = "x-codex-turn-metadata";
