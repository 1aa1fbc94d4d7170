import { importedModelsMax } from "../../limits.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import type { SessionTotalEvent } from "../../imports/log-event.ts";
import { tokensFrom } from "../../imports/logged-usage.ts";
import { isObject, type JsonObject } from "#wire/json.ts";

export function sessionTotal(line: JsonObject): SessionTotalEvent["models"] {
  const models = isObject(line["modelUsage"]) ? Object.entries(line["modelUsage"]) : [];
  return models.slice(0, importedModelsMax).map(([name, usage]) => ({
    model: name.slice(0, nameCharactersMax).toWellFormed(),
    usage: usageOf(isObject(usage) ? usage : {}),
  }));
}

function usageOf(usage: JsonObject): SessionTotalEvent["models"][number]["usage"] {
  const written = tokensFrom(usage["cacheCreationInputTokens"]);
  const hours = tokensFrom(usage["cacheCreationEphemeral1hInputTokens"]);
  return {
    uncached: tokensFrom(usage["inputTokens"]),
    cacheRead: tokensFrom(usage["cacheReadInputTokens"]),
    cacheWrite5m: Math.max(0, written - hours),
    cacheWrite1h: hours,
    output: tokensFrom(usage["outputTokens"]),
    reasoning: tokensFrom(usage["thinkingTokens"]),
  };
}
