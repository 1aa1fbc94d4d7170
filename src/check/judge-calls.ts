import type { Growth } from "#lock/growth.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import type { UnmetExpectation } from "./judge-answer.ts";
import { answerKey, type PlannedCall } from "./planned-call.ts";
import { type CallFailure, type CallFault, judgeCall, type PlayedCall } from "./played-call.ts";

export type CallAttempt = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly isError: boolean;
  readonly isAnswered: boolean;
  readonly error: string | null;
  readonly failure?: CallFailure;
  readonly unmet: readonly UnmetExpectation[];
  readonly fault: CallFault | null;
  readonly requestId: string | number | null;
};

export type CallTerms = {
  readonly records: readonly MeterRecord[];
  readonly answers: readonly LockedAnswer[];
  readonly growth: Growth;
  readonly hash: (text: string) => string;
};

export function judgeCalls(attempts: readonly CallAttempt[], terms: CallTerms): PlayedCall[] {
  const records = recordsByRequest(terms.records);
  const answers = new Map(terms.answers.map((answer) => [answer.key, answer]));
  return attempts.map(({ requestId, ...attempt }) => {
    const record = requestId === null ? undefined : records.get(requestId);
    const recorded = answers.get(answerKey(attempt.planned, terms.hash));
    return judgeCall({ ...attempt, record, recorded }, terms.growth);
  });
}

function recordsByRequest(
  records: readonly MeterRecord[],
): ReadonlyMap<CallRecord["request_id"], CallRecord> {
  const found = new Map<CallRecord["request_id"], CallRecord>();
  for (const record of records) {
    const isToolCall = record.type === "call" && record.method === "tools/call";
    if (isToolCall) found.set(record.request_id, record);
  }
  return found;
}
