import { type LoggedUsage, tokensFrom } from "#imports/logged-usage.ts";
import { isObject } from "#wire/json.ts";

/**
 * The input includes cached tokens, the output the reasoning. Its own total is left out: it is the context window
 * when that is full.
 */
export function usageFrom(value: unknown): LoggedUsage | undefined {
  if (!isObject(value)) return undefined;
  const read = tokensFrom(value["cached_input_tokens"]);
  const written = tokensFrom(value["cache_write_input_tokens"]);
  return {
    uncached: Math.max(0, tokensFrom(value["input_tokens"]) - read - written),
    cacheRead: read,
    cacheWrite5m: written,
    cacheWrite1h: 0,
    output: tokensFrom(value["output_tokens"]),
    reasoning: tokensFrom(value["reasoning_output_tokens"]),
  };
}
