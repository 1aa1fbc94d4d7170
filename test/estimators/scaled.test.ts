import { expect, test } from "bun:test";
import { asMembers, byScale } from "#estimators/scaled.ts";
import { unitsOnly } from "./support/counters.ts";

const said = { id: "x", confidence: "low", error: "unknown" } as const;
const half = byScale(said, { encoding: "o200k_base", factor: 1.5 }, unitsOnly);

test.each([
  ["", 0],
  ["a", 2],
  ["ab", 3],
  ["abc", 5],
])("byScale: %j at 1.5 is %i tokens", (text, tokens) => {
  expect(half.count(text)).toBe(tokens);
});

test("byScale: says vocabulary and factor", () => {
  expect(half).toMatchObject({ method: "bpe-scaled", encoding: "o200k_base*1.5" });
  expect(half).toMatchObject({ tokensPerTextByteMax: 2, tokensPerLineByteMax: 5 });
});

test("asMembers: put together, the JSON of the definition", () => {
  const schema = { type: "object" };
  const {
    name,
    description,
    schema: last,
  } = asMembers({
    name: 'a"b',
    description: "line\nline",
    schema: JSON.stringify(schema),
  });
  expect(JSON.parse(name + description + last)).toEqual({
    name: 'a"b',
    description: "line\nline",
    inputSchema: schema,
  });
});
