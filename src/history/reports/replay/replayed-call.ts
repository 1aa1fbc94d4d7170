import type { ImportedCallRecord } from "#records/imported-record.ts";
import type { CallRecord } from "#records/record.ts";

export type ReplayedCall = Pick<
  CallRecord,
  | "session_id"
  | "seq"
  | "server"
  | "tool"
  | "method"
  | "outcome"
  | "input_tokens"
  | "output_tokens"
  | "total_tokens"
  | "most_tokens"
>;

export function replayedImport(call: ImportedCallRecord): ReplayedCall {
  const { session_id, seq, server, tool, method, outcome } = call;
  const [input, output] = [call.input_tokens ?? 0, call.output_tokens ?? 0];
  return {
    session_id,
    seq,
    server,
    tool,
    method,
    outcome,
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
  };
}
