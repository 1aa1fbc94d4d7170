import type { ReaderTools } from "#imports/importer.ts";
import type { LogEvent } from "#imports/log-event.ts";
import { noUsage } from "#imports/logged-usage.ts";
import { arrayAt, isObject, memberAt } from "#wire/json.ts";
import { callEvents } from "./call-events.ts";
import type { RequestFacts } from "./request-facts.ts";

export function requestEvents(
  facts: RequestFacts,
  members: unknown,
  conversation: string,
  tools: ReaderTools,
): readonly LogEvent[] {
  const { requestId, timestamp: at, modelId, promptTokens, completionTokens } = facts;
  if (!isObject(members) || requestId === null) return [];
  const message = `${conversation}/${requestId}`;
  const model = modelId?.split("/").at(-1) ?? null;
  const rounds = arrayAt(memberAt(members, "result", "metadata"), "toolCallRounds");
  const results = memberAt(members, "result", "metadata", "toolCallResults");
  const calls = rounds.flatMap((round) =>
    arrayAt(round, "toolCalls").flatMap((call) =>
      callEvents(call, results, { at, conversation, message, model }, tools),
    ),
  );
  if (promptTokens + completionTokens === 0) return calls;
  return [
    {
      kind: "request",
      at,
      conversation,
      keys: { message, request: null, line: null },
      isSideChain: false,
      model,
      usage: { ...noUsage, uncached: promptTokens, output: completionTokens },
      merge: "last",
    },
    ...calls,
  ];
}
