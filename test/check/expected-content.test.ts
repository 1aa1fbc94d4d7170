import { expect, test } from "bun:test";
import { planExpectations, patternCharactersMax } from "#check/expected-content.ts";

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

test("planExpectations reads $${ as ${, and keeps the texts as the file has them", () => {
  const read = planExpectations({
    contains: "$${A}",
    matches: "^\\$\\{A}$",
    equals: { "/a": ["$${A}", { "$${b}": 1 }] },
  });
  expect(read).toMatchObject({
    expectations: [
      { rule: "contains", text: "${A}", source: "$${A}" },
      { rule: "matches", source: "^\\$\\{A}$" },
      { rule: "equals", value: ["${A}", { "$${b}": 1 }], source: ["$${A}", { "$${b}": 1 }] },
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
