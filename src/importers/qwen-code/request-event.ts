import type { ReaderTools } from "#imports/importer.ts";
import type { RequestEvent } from "#imports/log-event.ts";
import { isNoUsage, type LoggedUsage, tokensFrom } from "#imports/logged-usage.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";
import type { RecordFacts } from "./record-facts.ts";

export function requestEvent(
  record: JsonObject,
  { at, conversation, isSideChain, key }: RecordFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = record["usageMetadata"];
  if (!isObject(logged)) return undefined;
  const usage = usageOf(logged);
  if (isNoUsage(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: key, request: null, line: null },
    isSideChain,
    model: idAt(tools, record, "model"),
    usage,
    merge: "first",
  };
}

/**
 * The prompt includes its cached part. Providers count thoughts inside or next to the candidates: the total minus the
 * prompt is the output of either.
 */
function usageOf(logged: JsonObject): LoggedUsage {
  const prompt = tokensFrom(logged["promptTokenCount"]);
  const cacheRead = Math.min(prompt, tokensFrom(logged["cachedContentTokenCount"]));
  const candidates = tokensFrom(logged["candidatesTokenCount"]);
  const reasoning = tokensFrom(logged["thoughtsTokenCount"]);
  const total = tokensFrom(logged["totalTokenCount"]);
  const withoutTotal = candidates > reasoning ? candidates : candidates + reasoning;
  return {
    uncached: prompt - cacheRead,
    cacheRead,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: total > prompt ? total - prompt : withoutTotal,
    reasoning,
  };
}
