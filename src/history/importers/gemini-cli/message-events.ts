import type { ReaderTools } from "../../imports/importer.ts";
import type { LogEvent, RequestEvent } from "../../imports/log-event.ts";
import { type LoggedUsage, tokensFrom } from "../../imports/logged-usage.ts";
import { arrayAt, isObject, type JsonObject } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";
import { callEvents } from "./call-events.ts";
import type { MessageFacts } from "./message-facts.ts";

/** Ids are unique within a session only. */
export function messageEvents(
  message: JsonObject,
  facts: MessageFacts,
  tools: ReaderTools,
): readonly LogEvent[] {
  const model = idAt(tools, message, "model");
  const id = idAt(tools, message, "id");
  const key = id === null ? null : `${facts.conversation}/${id}`;
  const request = requestOf(message, { ...facts, key, model });
  const calls = arrayAt(message, "toolCalls").flatMap((call) =>
    callEvents(call, { ...facts, message: key, model }, tools),
  );
  return [...(request ? [request] : []), ...calls];
}

/** Undefined without tokens: such a line is written before or instead of an answer. */
function requestOf(
  message: JsonObject,
  {
    at,
    conversation,
    key,
    model,
  }: MessageFacts & { readonly key: string | null; readonly model: string | null },
): RequestEvent | undefined {
  const tokens = message["tokens"];
  if (!isObject(tokens)) return undefined;
  return {
    kind: "request",
    at,
    conversation,
    keys: { message: key, request: null, line: null },
    isSideChain: false,
    model,
    usage: usageOf(tokens),
    merge: "last",
  };
}

/** `input` includes the cached part and not the prompt of tools; `output` does not include the thoughts. */
function usageOf(tokens: JsonObject): LoggedUsage {
  const cached = tokensFrom(tokens["cached"]);
  const thoughts = tokensFrom(tokens["thoughts"]);
  return {
    uncached: Math.max(0, tokensFrom(tokens["input"]) - cached) + tokensFrom(tokens["tool"]),
    cacheRead: cached,
    cacheWrite5m: 0,
    cacheWrite1h: 0,
    output: tokensFrom(tokens["output"]) + thoughts,
    reasoning: thoughts,
  };
}
