import { expect, test } from "bun:test";
import { anthropic } from "#state/makers/anthropic.ts";

test("a request as the API documents it: the key in a header, tools with input_schema", () => {
  const tool = {
    name: "files.read",
    description: "Reads.",
    inputSchema: { type: "object", properties: {} },
    outputSchema: { type: "object" },
  };
  expect(
    anthropic.request("claude-opus-5", { text: "a", tools: [tool, { name: "b" }] }, "k"),
  ).toEqual({
    path: "/v1/messages/count_tokens",
    headers: { "x-api-key": "k", "anthropic-version": "2023-06-01" },
    body: {
      model: "claude-opus-5",
      messages: [{ role: "user", content: "a" }],
      tools: [
        {
          name: "files_read",
          description: "Reads.",
          input_schema: { type: "object", properties: {} },
        },
        { name: "b", input_schema: { type: "object" } },
      ],
    },
  });
  expect(anthropic.request("claude-opus-5", { text: "a" }, "k").body).not.toHaveProperty("tools");
});

test.each([
  [{ input_tokens: 14 }, 14],
  [{ input_tokens: 0 }, 0],
  [{ input_tokens: "14" }, undefined],
  [{ input_tokens: -1 }, undefined],
  [{ input_tokens: 1.5 }, undefined],
  [{ input_tokens: 1e308 }, undefined],
  [{ totalTokens: 14 }, undefined],
  [{ __proto__: { input_tokens: 14 } }, undefined],
  [[14], undefined],
  [null, undefined],
  [undefined, undefined],
])("tokens of %j are %p", (answer, tokens) => {
  expect(anthropic.parseTokens(answer)).toBe(tokens);
});

test.each([
  ["claude-opus-5", true],
  ["Claude-3-haiku", true],
  ["gpt-5", false],
  ["my-claude-5", false],
])("makes %s: %p", (model, makes) => {
  expect(anthropic.servesModel(model)).toBe(makes);
});
