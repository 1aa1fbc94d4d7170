import type { ReaderTools } from "../../imports/importer.ts";
import type { RequestEvent } from "../../imports/log-event.ts";
import { type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";
import { isObject, type JsonObject, memberAt } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";
import type { LineFacts } from "./line-facts.ts";

/** Claude Code writes such answers itself. */
const ownAnswers = "<synthetic>";

export function requestEvent(
  line: JsonObject,
  { at, conversation, isSideChain }: LineFacts,
  tools: ReaderTools,
): RequestEvent | undefined {
  const usage = memberAt(line, "message", "usage");
  const model = idAt(tools, line, "message", "model");
  if (!isObject(usage) || line["isApiErrorMessage"] === true || model === ownAnswers) {
    return undefined;
  }
  const message = idAt(tools, line, "message", "id");
  return {
    kind: "request",
    at,
    conversation,
    keys: {
      message,
      request: idAt(tools, line, "requestId"),
      // Only a line without a message is found by its own id.
      line: message === null ? idAt(tools, line, "uuid") : null,
    },
    isSideChain,
    model,
    usage: usageOf(usage),
    merge: "largest",
  };
}

function usageOf(usage: JsonObject): LoggedUsage {
  const written = tokensFrom(usage["cache_creation_input_tokens"]);
  const hours = tokensFrom(memberAt(usage, "cache_creation", "ephemeral_1h_input_tokens"));
  const minutes = tokensFrom(memberAt(usage, "cache_creation", "ephemeral_5m_input_tokens"));
  return {
    uncached: tokensFrom(usage["input_tokens"]),
    cacheRead: tokensFrom(usage["cache_read_input_tokens"]),
    // A log without the two parts, or with less than their sum, has written the rest for five minutes.
    cacheWrite5m: Math.max(minutes, written - hours),
    cacheWrite1h: hours,
    output: tokensFrom(usage["output_tokens"]),
    reasoning: tokensFrom(memberAt(usage, "output_tokens_details", "thinking_tokens")),
  };
}
