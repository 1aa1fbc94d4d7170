import type { ReaderTools } from "#imports/importer.ts";
import type { RequestEvent } from "#imports/log-event.ts";
import { isNoUsage, type LoggedUsage, tokensFrom } from "#imports/logged-usage.ts";
import { isObject, type JsonObject, memberAt } from "#wire/json.ts";
import { idAt, timeFrom } from "../log-fields.ts";

type MessageFacts = { readonly at: number | null; readonly conversation: string };

export function usageEvent(
  message: JsonObject,
  { at, conversation }: MessageFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const logged = message["usage"];
  if (!isObject(logged)) return undefined;
  const usage = usageOf(logged);
  if (isNoUsage(usage)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: keyOf(message["messageId"], conversation), request: null, line: null },
    isSideChain: false,
    model: idAt(tools, logged, "model"),
    usage,
    merge: "first",
  };
}

/** In older versions: counts if the message that it is about has no usage. */
export function ledgerEvent(
  entry: unknown,
  { at, conversation }: MessageFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const input = tokensFrom(memberAt(entry, "tokens", "input"));
  const output = tokensFrom(memberAt(entry, "tokens", "output"));
  if (input + output === 0) return undefined;
  const message = keyOf(memberAt(entry, "toMessageId"), conversation);
  return {
    kind: "request",
    at: timeFrom(memberAt(entry, "timestamp")) ?? at,
    conversation,
    keys: { message, request: null, line: idAt(tools, entry, "id") },
    isSideChain: false,
    model: idAt(tools, entry, "model"),
    usage: {
      uncached: input,
      cacheRead: 0,
      cacheWrite5m: 0,
      cacheWrite1h: 0,
      output,
      reasoning: 0,
    },
    merge: "fallback",
  };
}

function keyOf(id: unknown, conversation: string): string | null {
  const isId = typeof id === "number" || (typeof id === "string" && id.length <= 100);
  return isId ? `${conversation}/${id}` : null;
}

function usageOf(logged: JsonObject): LoggedUsage {
  return {
    uncached: tokensFrom(logged["inputTokens"]),
    cacheRead: tokensFrom(logged["cacheReadInputTokens"]),
    cacheWrite5m: tokensFrom(logged["cacheCreationInputTokens"]),
    cacheWrite1h: 0,
    output: tokensFrom(logged["outputTokens"]),
    reasoning: 0,
  };
}
