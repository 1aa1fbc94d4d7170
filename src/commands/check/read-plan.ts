import { planCalls, type PlannedCall } from "#check/planned-call.ts";
import { sentences, UserError } from "#errors.ts";
import { callsPlayedMax } from "#limits.ts";
import { readCallsFile } from "#storage/calls-file.ts";
import { parseAmount } from "#text/amount.ts";

/** The calls of a file. Throws UserError when it cannot be read, or plans too many calls. */
export function readPlan(file: string): PlannedCall[] {
  const plan = planCalls(readCallsFile(file), parseAmount);
  if ("fault" in plan) throw new UserError(sentences.callsMalformed(file, plan.fault));
  const rounds = plan.calls.reduce((sum, { repeat }) => sum + repeat, 0);
  if (rounds > callsPlayedMax) {
    throw new UserError(sentences.callsTooMany(file, rounds, callsPlayedMax));
  }
  return plan.calls;
}
