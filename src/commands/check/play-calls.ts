import { sentences, UserError } from "#errors.ts";
import { callsPlayedMax } from "#limits.ts";
import type { CallAttempt } from "#check/judge-calls.ts";
import { planCalls, type PlannedCall } from "#check/planned-call.ts";
import { readCallsFile } from "#storage/calls-file.ts";
import type { McpConnection } from "#mcp-client/connection.ts";
import { parseTokens } from "../lock/options.ts";

/** The calls of a file. Throws UserError when it cannot be read, or asks for too many calls. */
export function readPlan(file: string): PlannedCall[] {
  const plan = planCalls(readCallsFile(file), parseTokens);
  if ("fault" in plan) throw new UserError(sentences.callsMalformed(file, plan.fault));
  const rounds = plan.calls.reduce((sum, { repeat }) => sum + repeat, 0);
  if (rounds > callsPlayedMax) {
    throw new UserError(sentences.callsTooMany(file, rounds, callsPlayedMax));
  }
  return plan.calls;
}

/** Makes the calls one after the other. Throws UserError when the server exits. */
export async function playCalls(
  server: Pick<McpConnection, "call">,
  plan: readonly PlannedCall[],
  timeoutMs: number,
): Promise<CallAttempt[]> {
  const attempts: CallAttempt[] = [];
  for (const planned of plan) {
    for (let round = 1; round <= planned.repeat; round += 1) {
      const answer = await server.call(planned.tool, planned.arguments, timeoutMs);
      attempts.push({ planned, round, ...answer });
    }
  }
  return attempts;
}
