import * as fc from "fast-check";
import { expect, test } from "bun:test";
import { UserError } from "#kit/errors.ts";
import { readArguments, type ArgumentSchemas } from "#transport/mcp-server/serve.ts";

const schemas: ArgumentSchemas = {
  by: { type: "string", enum: ["day", "tool"] },
  since: { type: "string" },
  top: { type: "integer", minimum: 1, maximum: 50 },
};

const fault = (raw: unknown): string => {
  try {
    readArguments(raw, schemas);
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
  return "";
};

test("arguments that fit come in the order of their schemas; absent ones and null are left out", () => {
  expect(JSON.stringify(readArguments({ top: 50, since: "7d", by: "day" }, schemas))).toBe(
    '{"by":"day","since":"7d","top":50}',
  );
  expect(readArguments({ by: null, top: 1 }, schemas)).toEqual({ top: 1 });
  for (const none of [undefined, null, {}]) expect(readArguments(none, schemas)).toEqual({});
});

test("each mistake is one sentence with the value and the values that fit", () => {
  const rows: readonly (readonly [raw: unknown, sentence: string])[] = [
    [[], "The arguments must be an object"],
    ["x", "The arguments must be an object"],
    [{ sinse: "7d" }, 'Unknown argument "sinse" (did you mean since?)'],
    [{ fruit: 1 }, 'Unknown argument "fruit"; known arguments are by, since, top'],
    [
      JSON.parse('{"__proto__":1}'),
      'Unknown argument "__proto__"; known arguments are by, since, top',
    ],
    [{ by: "tols" }, '"by" must be one of day, tool, not "tols"'],
    [{ since: "" }, '"since" must be non-empty text, not ""'],
    [{ since: 7 }, '"since" must be non-empty text, not 7'],
    [{ since: ["7d"] }, '"since" must be non-empty text, not ["7d"]'],
    [{ top: 0 }, '"top" must be a whole number from 1 to 50, not 0'],
    [{ top: 51 }, '"top" must be a whole number from 1 to 50, not 51'],
    [{ top: 1.5 }, '"top" must be a whole number from 1 to 50, not 1.5'],
    [{ top: "3" }, '"top" must be a whole number from 1 to 50, not "3"'],
  ];
  for (const [raw, sentence] of rows) expect(fault(raw)).toBe(sentence);
});

test("any value is read or refused with a sentence", () => {
  fc.assert(fc.property(fc.jsonValue(), (raw) => void fault(raw)));
});
