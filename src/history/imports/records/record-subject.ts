import type { Estimation } from "#tokens/cost/estimation.ts";
import { type ImportedCommon, importedVersion } from "#records/imported-record.ts";
import type { LoggedConversation } from "../conversations.ts";

export type RecordTools = {
  /** The same UUID for the same name, always. */
  uuid(name: string): string;
  sha256(text: string): string;
  estimationOf(model: string | null): Estimation;
  countTokens(text: string, model: string | null): number | null;
};

export type Subject = {
  readonly client: string;
  readonly conversation: LoggedConversation;
  readonly id: string;
  readonly tools: RecordTools;
};

export function commonOf(
  atMs: number,
  seq: number,
  sessionId: string,
  { id }: Subject,
): ImportedCommon {
  return {
    schema_version: importedVersion,
    ts: new Date(atMs).toISOString(),
    session_id: sessionId,
    seq,
    conversation_id: id,
  };
}

/** Each server of a conversation is a separate session. */
export function serverSession(server: string, { client, conversation, tools }: Subject): string {
  return tools.uuid(`${client}\n${conversation.id}\n${server}`);
}

export function estimationFields({ id, method, encoding, error, confidence }: Estimation) {
  return {
    estimator: id,
    estimation_method: method,
    estimation_encoding: encoding,
    estimation_error: error,
    confidence,
  };
}
