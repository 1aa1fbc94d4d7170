import { expect, test } from "bun:test";
import { planExpectations } from "#check/expectation.ts";
import { patternCharactersMax } from "#limits.ts";

test("planExpectations: texts, patterns, then values", () => {
  const read = planExpectations({ equals: { "/a": 1 }, matches: "b", contains: ["c", "d"] });
  expect(read).toMatchObject({
    expectations: [
      { rule: "contains", text: "c" },
      { rule: "contains", text: "d" },
      { rule: "matches", source: "b" },
      { rule: "equals", pointer: "/a", value: 1 },
    ],
  });
});

test("planExpectations allows patternCharactersMax characters, and not one more", () => {
  expect(planExpectations({ matches: "a".repeat(patternCharactersMax) })).toHaveProperty(
    "expectations",
  );
  const more = planExpectations({ matches: "a".repeat(patternCharactersMax + 1) });
  expect(more).toMatchObject({ path: ["matches"] });
});
