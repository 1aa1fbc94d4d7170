import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { readCount, type Maker } from "./maker.ts";

// See ai.google.dev/api/tokens, read 2026-11-22. We have not tested `parametersJsonSchema`.
export const google: Maker = {
  id: "google",
  name: "Google",
  keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
  urlVariable: "GOOGLE_GEMINI_BASE_URL",
  url: "https://generativelanguage.googleapis.com",
  servesModel: (model) => /^(?:models\/)?(?:gemini|gemma)-/i.test(model),
  request(model, { text, tools }, key) {
    const name = model.replace(/^models\//i, "");
    return {
      path: `/v1beta/models/${encodeURIComponent(name)}:countTokens`,
      headers: { "x-goog-api-key": key },
      body: {
        generateContentRequest: {
          model: `models/${name}`,
          contents: [{ role: "user", parts: [{ text }] }],
          ...(tools && { tools: [{ functionDeclarations: tools.map(declareTool) }] }),
        },
      },
    };
  },
  parseTokens: (answer) => (isObject(answer) ? readCount(answer, "totalTokens") : undefined),
};

// Like Gemini CLI, sends no schema for a tool without one.
function declareTool(tool: JsonObject): JsonObject {
  const schema = readMember(tool, "inputSchema");
  return {
    name: (readString(tool, "name") ?? "").replaceAll(/[^\w.-]/g, "_").slice(0, 63),
    description: readString(tool, "description") ?? "",
    ...(isObject(schema) ? { parametersJsonSchema: schema } : {}),
  };
}
