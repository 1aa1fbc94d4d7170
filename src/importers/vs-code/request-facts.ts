import type { ReaderTools } from "#imports/importer.ts";
import { tokensFrom } from "#imports/logged-usage.ts";
import { isObject, memberAt } from "#wire/json.ts";
import { idAt, timeFrom } from "../log-fields.ts";

export type RequestFacts = {
  readonly requestId: string | null;
  readonly timestamp: number | null;
  readonly modelId: string | null;
  readonly promptTokens: number;
  readonly completionTokens: number;
};

export const noRequest: RequestFacts = {
  requestId: null,
  timestamp: null,
  modelId: null,
  promptTokens: 0,
  completionTokens: 0,
};

export function withMembers(
  facts: RequestFacts,
  members: unknown,
  tools: ReaderTools,
): RequestFacts {
  if (!isObject(members)) return facts;
  const result = memberAt(members, "result", "metadata");
  const prompt =
    tokensFrom(members["promptTokens"]) || tokensFrom(memberAt(result, "promptTokens"));
  const completion =
    tokensFrom(members["completionTokens"]) || tokensFrom(memberAt(result, "outputTokens"));
  return {
    requestId: idAt(tools, members, "requestId") ?? facts.requestId,
    timestamp: timeFrom(members["timestamp"]) ?? facts.timestamp,
    modelId:
      idAt(tools, result, "resolvedModel") ?? idAt(tools, members, "modelId") ?? facts.modelId,
    promptTokens: prompt || facts.promptTokens,
    completionTokens: completion || facts.completionTokens,
  };
}
