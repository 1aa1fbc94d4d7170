import { expect, test } from "bun:test";
import { findOutputMismatch, findRejectedSchemas } from "#commands/check/play-calls.ts";
import { keepText } from "#kit/text/unsafe-text.ts";

test("findRejectedSchemas compiles the output schemas of a list, and returns the rejected ones", async () => {
  const compiled: unknown[] = [];
  const validator = {
    add: async (tool: string, _: unknown, isModern: boolean) => {
      compiled.push([tool, isModern]);
      return tool === "b" ? ({ reason: "no", rejectedBy: "both" } as const) : undefined;
    },
  };
  const tools = [
    { name: "none" },
    { name: "a", outputSchema: { type: "object" } },
    { name: "b", outputSchema: { type: "object" } },
    { name: "c", outputSchema: { type: "array" } },
    { name: "d", outputSchema: 7 },
  ];
  expect(await findRejectedSchemas(tools, false, validator)).toEqual([
    { tool: "b", reason: "no", rejectedBy: "both" },
    { tool: "c", reason: 'it is not of type "object"', rejectedBy: "list" },
    { tool: "d", reason: "it is not an object", rejectedBy: "list" },
  ]);
  expect(compiled).toEqual([
    ["a", false],
    ["b", false],
  ]);
});

test("findOutputMismatch validates an answer that has structured content", async () => {
  const schemas: unknown[] = [];
  const validator = {
    validate: async (...question: unknown[]) => {
      schemas.push(question);
      return "too_slow" as const;
    },
  };
  const terms = { validator, redact: keepText };
  const find = (result: unknown, isError = false) =>
    findOutputMismatch({ result, isError }, "t", terms);
  expect(await find({ content: [] })).toBeUndefined();
  expect(await find({ structuredContent: null }, true)).toMatchObject({
    rule: "structure_not_compared",
  });
  expect(schemas).toEqual([["t", null, true]]);
});
