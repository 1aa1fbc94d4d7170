import { sentences, UserError } from "#errors.ts";
import { callsPlayedMax } from "#limits.ts";
import type { LockedAnswer } from "#lock/lock.ts";
import { answerKey, planCalls, type PlannedCall } from "#check/planned-call.ts";
import { judgeCall, type Growth, type PlayedCall } from "#check/played-call.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { readCallsFile } from "#storage/calls-file.ts";
import type { McpServer, Played } from "#mcp-client/client.ts";
import { sha256 } from "#os/sha256.ts";
import { parseTokens } from "../lock/options.ts";

/** One call that was made, before the meter was asked what it cost. */
export type MadeRound = {
  readonly planned: PlannedCall;
  readonly round: number;
  readonly played: Played;
};

/** The calls of a file. Throws UserError when it cannot be read, or asks for too much. */
export function readPlan(file: string): PlannedCall[] {
  const plan = planCalls(readCallsFile(file), parseTokens);
  if ("fault" in plan) throw new UserError(sentences.callsMalformed(file, plan.fault));
  const rounds = plan.calls.reduce((sum, { repeat }) => sum + repeat, 0);
  if (rounds > callsPlayedMax) {
    const fault = `it asks for ${rounds} calls, ${callsPlayedMax} are allowed`;
    throw new UserError(sentences.callsMalformed(file, fault));
  }
  return plan.calls;
}

/** Makes the calls one after the other. Throws UserError when the server dies of one. */
export async function playCalls(
  server: Pick<McpServer, "call">,
  plan: readonly PlannedCall[],
  timeoutMs: number,
): Promise<MadeRound[]> {
  const made: MadeRound[] = [];
  for (const planned of plan) {
    for (let round = 1; round <= planned.repeat; round += 1) {
      const played = await server.call(planned.tool, planned.arguments, timeoutMs);
      made.push({ planned, round, played });
    }
  }
  return made;
}

/** Holds each call against what the meter recorded of it, its budget and its recorded answer. */
export function judgePlayed(
  rounds: readonly MadeRound[],
  records: readonly MeterRecord[],
  recorded: readonly LockedAnswer[],
  growth: Growth,
): PlayedCall[] {
  const byId = new Map<CallRecord["request_id"], CallRecord>();
  for (const record of records) {
    if (record.type === "call" && record.method === "tools/call") {
      byId.set(record.request_id, record);
    }
  }
  const answers = new Map(recorded.map((answer) => [answer.key, answer]));
  return rounds.map(({ planned, round, played: { isError, error, requestId } }) =>
    judgeCall(
      {
        planned,
        round,
        isError,
        error,
        record: requestId === null ? undefined : byId.get(requestId),
        recorded: answers.get(answerKey(planned, sha256)),
      },
      growth,
    ),
  );
}

/** What a lock records of calls: the dearest round of each, sorted. */
export function answersOf(
  plan: readonly PlannedCall[],
  calls: readonly PlayedCall[],
): LockedAnswer[] {
  const dearest = new Map<string, LockedAnswer>();
  let at = 0;
  for (const planned of plan) {
    const key = answerKey(planned, sha256);
    for (const { tokens } of calls.slice(at, at + planned.repeat)) {
      if (tokens >= (dearest.get(key)?.tokens ?? 0)) {
        dearest.set(key, { key, tool: planned.tool, tokens });
      }
    }
    at += planned.repeat;
  }
  return [...dearest.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
