import { nameCharactersMax } from "#kit/limits.ts";
import { type Caller, noCaller } from "#tokens/cost/caller.ts";
import type { CallRecord } from "#records/record.ts";

type Hash = (text: string) => string;

type ClientKeys = Pick<
  CallRecord,
  | "model"
  | "call_id_sha256"
  | "thread_id_sha256"
  | "client_session_id_sha256"
  | "turn_id_sha256"
  | "traceparent"
>;

/** The keys by which a record can be paired with the client's log: those that it sends, undefined for none. */
export function clientKeys(caller: Caller, hash: Hash): ClientKeys | undefined {
  if (caller === noCaller) return undefined;
  const { model, callId, threadId, sessionId, turnId, traceParent } = caller;
  return {
    ...(model === undefined ? {} : { model }),
    ...(isId(callId) ? { call_id_sha256: hash(callId) } : {}),
    ...(isId(threadId) ? { thread_id_sha256: hash(threadId) } : {}),
    ...sessionKey(sessionId, hash),
    ...(isId(turnId) ? { turn_id_sha256: hash(turnId) } : {}),
    ...(traceParent === undefined ? {} : { traceparent: traceParent }),
  };
}

export function sessionKey(
  id: string | undefined,
  hash: Hash,
): Pick<ClientKeys, "client_session_id_sha256"> {
  return isId(id) ? { client_session_id_sha256: hash(id) } : {};
}

function isId(id: string | undefined): id is string {
  return id !== undefined && id !== "" && id.length <= nameCharactersMax;
}
