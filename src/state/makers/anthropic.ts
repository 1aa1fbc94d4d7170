import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { readCount, type Maker } from "./maker.ts";

// `POST /v1/messages/count_tokens`: `{model, messages, tools}` with the headers `x-api-key` and `anthropic-version`,
// answered with `{input_tokens}`. Free, limited in requests per minute; the estimate may differ a little from the bill
// (platform.claude.com/docs/en/build-with-claude/token-counting and .../api/http/messages/count_tokens, read 2026-11-22).
export const anthropic: Maker = {
  id: "anthropic",
  name: "Anthropic",
  keyVariables: ["ANTHROPIC_API_KEY"],
  urlVariable: "ANTHROPIC_BASE_URL",
  url: "https://api.anthropic.com",
  makes: (model) => /^claude-/i.test(model),
  request: (model, { text, tools }, key) => ({
    path: "/v1/messages/count_tokens",
    headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
    body: {
      model,
      messages: [{ role: "user", content: text }],
      ...(tools && { tools: tools.map(describeTool) }),
    },
  }),
  tokens: (answer) => (isObject(answer) ? readCount(answer, "input_tokens") : undefined),
};

// Only members that the model reads, under a name that the API accepts.
function describeTool(tool: JsonObject): JsonObject {
  const description = readString(tool, "description");
  const schema = readMember(tool, "inputSchema");
  return {
    name: (readString(tool, "name") ?? "").replaceAll(/[^\w-]/g, "_").slice(0, 128),
    ...(description === undefined ? {} : { description }),
    input_schema: isObject(schema) ? schema : { type: "object" },
  };
}
