import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { readCount, type Maker } from "./maker.ts";

// Counting is free, and the count is an estimate by Anthropic. See
// platform.claude.com/docs/en/build-with-claude/token-counting, read 2026-11-22.
export const anthropic: Maker = {
  id: "anthropic",
  name: "Anthropic",
  keyVariables: ["ANTHROPIC_API_KEY"],
  urlVariable: "ANTHROPIC_BASE_URL",
  url: "https://api.anthropic.com",
  servesModel: (model) => /^claude-/i.test(model),
  request: (model, { text, tools }, key) => ({
    path: "/v1/messages/count_tokens",
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: {
      model,
      messages: [{ role: "user", content: text }],
      ...(tools && { tools: tools.map(describeTool) }),
    },
  }),
  parseTokens: (answer) => (isObject(answer) ? readCount(answer, "input_tokens") : undefined),
};

function describeTool(tool: JsonObject): JsonObject {
  const description = readString(tool, "description");
  const schema = readMember(tool, "inputSchema");
  return {
    name: (readString(tool, "name") ?? "").replaceAll(/[^\w-]/g, "_").slice(0, 128),
    ...(description === undefined ? {} : { description }),
    input_schema: isObject(schema) ? schema : { type: "object" },
  };
}
