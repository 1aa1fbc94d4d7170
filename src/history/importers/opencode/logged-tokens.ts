import { isNoUsage, type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";
import { isObject, memberAt } from "#wire/json.ts";

type LoggedTokens = {
  readonly usage: LoggedUsage;
  readonly isApproximate: boolean;
};

/** Undefined without tokens, as after an abort. Older versions count reasoning in `output`, newer ones next to it: `total` shows which. */
export function loggedTokens(tokens: unknown): LoggedTokens | undefined {
  if (!isObject(tokens)) return undefined;
  const input = tokensFrom(tokens["input"]);
  const output = tokensFrom(tokens["output"]);
  const reasoning = tokensFrom(tokens["reasoning"]);
  const cacheRead = tokensFrom(memberAt(tokens, "cache", "read"));
  const cacheWrite5m = tokensFrom(memberAt(tokens, "cache", "write"));
  const { total } = tokens;
  const isIncluded = total === input + output + cacheRead + cacheWrite5m;
  const usage: LoggedUsage = {
    uncached: input,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: isIncluded ? output : output + reasoning,
    reasoning,
  };
  if (isNoUsage(usage)) return undefined;
  return { usage, isApproximate: reasoning > 0 && typeof total !== "number" };
}
