import { turnMetadataCharactersMax } from "#limits/content.ts";
import { nameCharactersMax } from "#limits/lines.ts";
import { memberAt, textAt } from "#wire/json.ts";
import { parseTraceParent } from "#wire/trace-parent.ts";

/**
 * The client's own words about a call, from the `_meta` of its request: ids that its log has as well, and the model that
 * asks.
 */
export type Caller = {
  readonly callId?: string;
  readonly model?: string;
  readonly threadId?: string;
  readonly sessionId?: string;
  readonly turnId?: string;
  /** Its span, as W3C Trace Context writes it. */
  readonly traceParent?: string;
};

/** The caller of a request that says nothing about it. */
export const noCaller: Caller = {};

/** Reads the `_meta` of a request; accepts any params. A text that is longer than a name is none of these. */
export function callerOf(params: unknown): Caller {
  // Most clients send none.
  if (memberAt(params, "_meta") === undefined) return noCaller;
  const turn = parsedTurn(params);
  const meta = (name: string): string | undefined => textAt(params, "_meta", name);
  return {
    ...member("callId", meta("claudecode/toolUseId") ?? meta("callId")),
    ...member("model", textAt(turn, "model")),
    ...member("threadId", meta("threadId") ?? textAt(turn, "thread_id")),
    ...member("sessionId", meta("sessionId") ?? textAt(turn, "session_id")),
    ...member("turnId", meta("turn_id") ?? textAt(turn, "turn_id")),
    ...member("traceParent", validTraceParent(meta("traceparent"))),
  };
}

function member(name: keyof Caller, text: string | undefined): Caller {
  const isName = text !== undefined && text !== "" && text.length <= nameCharactersMax;
  return isName ? { [name]: text } : {};
}

/** Undefined for a text of any other form: it would be in records as the client wrote it. */
function validTraceParent(text: string | undefined): string | undefined {
  return text !== undefined && parseTraceParent(text) ? text : undefined;
}

/** The metadata of a turn, which Codex sends as an object or as JSON in a text. */
function parsedTurn(params: unknown): unknown {
  const json = textAt(params, "_meta", turnMetadata);
  if (json === undefined) return memberAt(params, "_meta", turnMetadata);
  if (json.length > turnMetadataCharactersMax) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const turnMetadata = "x-codex-turn-metadata";
