import { planCalls, type Plan } from "#check/plan-calls.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { readCallsFile } from "#state/storage/calls-file.ts";
import { parseAmount } from "#kit/text/amount.ts";
import { checkSentences } from "./sentences.ts";

export const callsPlayedMax = 10_000;

const noPlan: Plan = { calls: [], secrets: new Map() };

/** Throws UserError when the file cannot be read, has a mistake, skips all calls or plans too many. */
export function readPlan(file: string | undefined, env: Io["env"]): Plan {
  if (file === undefined) return noPlan;
  const { value, lineOf, mistake } = readCallsFile(file);
  const plan = planCalls(value, { parseTokens: parseAmount, env, lineOf });
  if ("fault" in plan) throw mistake(plan.fault, plan.path, plan.part);
  const made = plan.calls.filter(({ skip }) => skip === undefined);
  if (made.length === 0) throw new UserError(checkSentences.callsSkipped(file));
  const rounds = made.reduce((sum, { repeat }) => sum + repeat, 0);
  if (rounds > callsPlayedMax) {
    throw new UserError(checkSentences.callsTooMany(file, rounds, callsPlayedMax));
  }
  return plan;
}
