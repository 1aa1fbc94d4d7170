import type { ReaderTools } from "../../imports/importer.ts";
import type { RequestEvent } from "../../imports/log-event.ts";
import { type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";
import { isObject, type JsonObject, memberAt } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";
import type { EventFacts } from "./event-facts.ts";

export function usageEvent(
  data: JsonObject,
  { at, conversation }: EventFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const { usage } = data;
  if (!isObject(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: keyOf(usage, conversation, tools), request: null, line: null },
    isSideChain: false,
    model: idAt(tools, usage, "model"),
    usage: usageOf(usage),
    merge: "last",
  };
}

function keyOf(usage: JsonObject, conversation: string, tools: ReaderTools): string | null {
  const source = idAt(tools, usage, "accounting", "sourceSessionId") ?? conversation;
  const sequence = memberAt(usage, "accounting", "sequence");
  if (typeof sequence === "number") return `${source}/${sequence}`;
  const call = idAt(tools, usage, "apiCallId");
  return call === null ? null : `${source}/${call}`;
}

/** The input includes cache reads and writes, the output the reasoning. */
export function usageOf(usage: JsonObject): LoggedUsage {
  const cacheRead = tokensFrom(usage["cacheReadTokens"]);
  const cacheWrite5m = tokensFrom(usage["cacheWriteTokens"]);
  return {
    uncached: Math.max(0, tokensFrom(usage["inputTokens"]) - cacheRead - cacheWrite5m),
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output: tokensFrom(usage["outputTokens"]),
    reasoning: tokensFrom(usage["reasoningTokens"]),
  };
}
