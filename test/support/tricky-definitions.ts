import type { Definitions } from "./replay.ts";

const unicode = 'Olá 你好 👋🏽 \u2028 <|endoftext|> "quoted" \\ tab\t';

export const trickyDefinitions: Definitions = {
  server: "tricky",
  version: "1",
  instructions: `Use search first. ${unicode}`,
  tools: [
    {
      name: "search",
      title: "Search",
      description: `Finds roses. ${unicode}`,
      inputSchema: {
        type: "object",
        required: ["query"],
        properties: {
          query: { type: "string", description: "Words to search for, in any language" },
          limit: { type: "integer", minimum: 1, maximum: 1e21, default: 20.5 },
          description: { type: "object", properties: { description: { description: "Nested" } } },
        },
        $schema: "http://json-schema.org/draft-07/schema#",
        additionalProperties: false,
      },
      outputSchema: { type: "object", properties: { items: { type: "array", maxItems: 20 } } },
      annotations: { readOnlyHint: true, title: "Search" },
      _meta: { "anthropic/maxResultSizeChars": 90_000 },
    },
    { name: "search", description: "A second tool of that name", inputSchema: { type: "object" } },
    { name: "bare" },
    { name: "empty", description: "", inputSchema: {} },
    { name: "odd-schema", description: "Its schema is not one", inputSchema: "none" },
    {
      name: 7,
      description: ["not", "text"],
      inputSchema: { enum: [1, "1", null, [{ b: 1, a: 2 }]] },
    },
    {
      name: "__proto__",
      description: "constructor",
      inputSchema: { properties: { toString: {} } },
    },
    { name: "long", description: "roses ".repeat(900), inputSchema: { type: "object" } },
    { name: "x".repeat(300), description: "A name beyond the limit", inputSchema: { a: "\ud800" } },
  ],
};
