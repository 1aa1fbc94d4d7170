import { expect, test } from "bun:test";
import { google } from "#state/makers/google.ts";

test("a request as the API documents it: the whole request to count, the key in a header and not in the address", () => {
  const tool = { name: "a/b", description: "Reads.", inputSchema: { type: "object" } };
  const request = google.request(
    "models/gemini-3-pro",
    { text: "a", tools: [tool, { name: "b" }] },
    "k",
  );
  expect(request).toEqual({
    path: "/v1beta/models/gemini-3-pro:countTokens",
    headers: { "x-goog-api-key": "k" },
    body: {
      generateContentRequest: {
        model: "models/gemini-3-pro",
        contents: [{ role: "user", parts: [{ text: "a" }] }],
        tools: [
          {
            functionDeclarations: [
              { name: "a_b", description: "Reads.", parametersJsonSchema: { type: "object" } },
              { name: "b", description: "" },
            ],
          },
        ],
      },
    },
  });
});

test("a hostile model stays one part of the path", () => {
  const { path } = google.request("gemini-../../x?y#z", { text: "a" }, "k");
  expect(path).toBe("/v1beta/models/gemini-..%2F..%2Fx%3Fy%23z:countTokens");
});

test("tokens are the total of the answer", () => {
  expect(google.parseTokens({ totalTokens: 31, cachedContentTokenCount: 3 })).toBe(31);
  expect(google.parseTokens({ totalTokens: null })).toBeUndefined();
});

test.each([
  ["gemini-3-pro", true],
  ["models/gemini-2.5-flash", true],
  ["gemma-3", true],
  ["gemini", false],
  ["claude-opus-5", false],
])("makes %s: %p", (model, makes) => {
  expect(google.servesModel(model)).toBe(makes);
});
