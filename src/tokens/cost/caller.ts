import { parseTraceParent } from "#wire/message.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { readMember, readString } from "#wire/json.ts";

export const turnMetadataCharactersMax = 4_096;

// Of a request's `_meta`: the model, and ids that are in the client's log as well.
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
  const meta = (name: string): string | undefined => readString(params, "_meta", name);
  return {
    ...makeMember("callId", meta("claudecode/toolUseId") ?? meta("callId")),
    ...makeMember("model", readString(turn, "model")),
    ...makeMember("threadId", meta("threadId") ?? readString(turn, "thread_id")),
    ...makeMember("sessionId", meta("sessionId") ?? readString(turn, "session_id")),
    ...makeMember("turnId", meta("turn_id") ?? readString(turn, "turn_id")),
    ...makeMember("traceParent", filterTraceParent(meta("traceparent"))),
  };
}

function makeMember(name: keyof Caller, text: string | undefined): Caller {
  const isUsable = text !== undefined && text !== "" && text.length <= nameCharactersMax;
  return isUsable ? { [name]: text } : {};
}

// Any other text must not get into the records.
function filterTraceParent(text: string | undefined): string | undefined {
  return text !== undefined && parseTraceParent(text) ? text : undefined;
}

// Codex sends an object, or JSON in a string.
function parseTurn(params: unknown): unknown {
  const json = readString(params, "_meta", turnMetadataKey);
  if (json === undefined) return readMember(params, "_meta", turnMetadataKey);
  if (json.length > turnMetadataCharactersMax) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const turnMetadataKey = "x-codex-turn-metadata";
