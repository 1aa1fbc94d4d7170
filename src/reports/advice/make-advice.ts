import type { Advice } from "./advice.ts";
import { answerAdvice } from "./answer-advice.ts";
import { definitionAdvice } from "./definition-advice.ts";
import type { ServerUsage } from "./server-usage.ts";

export function makeAdvice(usages: readonly ServerUsage[]): Advice[] {
  const allTokens = usages.reduce((sum, usage) => sum + tokensOf(usage), 0);
  return usages
    .flatMap((usage) =>
      [...definitionAdvice(usage), ...answerAdvice(usage, allTokens)].map((advice) => ({
        advice,
        weight: weightOf(advice, usage.sessions),
      })),
    )
    .toSorted((one, other) => other.weight - one.weight)
    .map(({ advice }) => advice);
}

function tokensOf({ tools, residentTokens }: ServerUsage): number {
  return tools.reduce((sum, { usage }) => sum + usage.tokens, residentTokens);
}

function weightOf({ tokens, per }: Advice, sessions: number): number {
  return per === "session" ? tokens * sessions : tokens;
}
