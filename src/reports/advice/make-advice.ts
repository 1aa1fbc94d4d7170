import { adviceTokensMin } from "#limits.ts";
import type { Advice } from "./advice.ts";
import { answerAdvice } from "./answer-advice.ts";
import { definitionAdvice } from "./definition-advice.ts";
import type { ServerUsage } from "./server-usage.ts";

/** All advice about some servers, the most tokens first; that of each session counts for all of its sessions. */
export function makeAdvice(usages: readonly ServerUsage[]): Advice[] {
  return usages
    .flatMap((usage) => {
      const { sessions } = usage.summary;
      const all = [...definitionAdvice(usage), ...answerAdvice(usage), ...repeatedCalls(usage)];
      return all.map((advice) => ({ advice, weight: weightOf(advice, sessions) }));
    })
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ advice }) => advice);
}

/** Identical calls, of which each after the first brought the model nothing new, or so it seems. */
function repeatedCalls({ server, summary }: ServerUsage): Advice[] {
  const { calls, tokens, tool } = summary.repeats;
  if (tokens < adviceTokensMin) return [];
  return [{ kind: "repeated_calls", server, tool, tokens, per: "period", calls }];
}

function weightOf({ tokens, per }: Advice, sessions: number): number {
  return per === "session" ? tokens * sessions : tokens;
}
