import type { ImportedCallRecord } from "#records/imported-record.ts";
import type { CallRecord } from "#records/record.ts";

export type AdvisedCall = Pick<
  CallRecord,
  | "session_id"
  | "seq"
  | "server"
  | "tool"
  | "method"
  | "outcome"
  | "output_tokens"
  | "total_tokens"
  | "duplicate_tokens"
  | "arguments_sha256"
  | "overhead"
>;

/** Without a count of tokens it has none; its answer cannot be looked into. */
export function advisedImport(call: ImportedCallRecord): AdvisedCall {
  const { session_id, seq, server, tool, method, outcome, arguments_sha256 } = call;
  const output = call.output_tokens ?? 0;
  return {
    session_id,
    seq,
    server,
    tool,
    method,
    outcome,
    output_tokens: output,
    total_tokens: (call.input_tokens ?? 0) + output,
    duplicate_tokens: 0,
    arguments_sha256,
    overhead: null,
  };
}
