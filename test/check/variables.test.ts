import { expect, test } from "bun:test";
import { fillVariables, unescapeTexts, escapeVariables } from "#check/variables.ts";

const env = { A: "1", _B2: "two" };

test.each([
  ["${A}", "1"],
  ["x${A}${_B2}y", "x1twoy"],
  ["$A {A} $ ${A", undefined],
  ["$A {A} $", "$A {A} $"],
  ["$${A}", "${A}"],
  ["$$${A}", "$${A}"],
  ["${$}${A}", "$1"],
  ["$${$}", "${$}"],
  ["$${", "${"],
  ["${}", undefined],
  ["${A-B}", undefined],
  ["${ABSENT}", undefined],
  ["${__proto__}", undefined],
])("fillVariables of %j is %p", (text, filled) => {
  const read = fillVariables({ text }, env, new Map());
  if (filled === undefined) expect(read).toMatchObject({ path: ["text"] });
  else expect(read).toEqual({ filledArguments: { text: filled } });
});

test.each([
  ["$${A} $", "${A} $"],
  [
    ["$A", { b: "$${" }],
    ["$A", { b: "${" }],
  ],
  [5, 5],
])("unescapeTexts of %j is %j", (written, value) => {
  expect(unescapeTexts(written)).toEqual({ value });
});

test.each([["${A}"], ["${"], ["${A-B}"], ["${$}"]])("unescapeTexts refuses %j", (text) => {
  const read = unescapeTexts({ a: [1, text] });
  expect(read).toEqual({
    fault: 'variables are allowed only in arguments; to write a literal "${", use "$${"',
    path: ["a", "1"],
  });
});

test("fillVariables leaves names, numbers and the value of a variable alone", () => {
  const args = JSON.parse('{"${A}": 1, "__proto__": ["${V}", null, true]}');
  const read = fillVariables(args, { V: "${A}" }, new Map());
  expect(JSON.stringify(read)).toBe(
    '{"filledArguments":{"${A}":1,"__proto__":["${A}",null,true]}}',
  );
});

test.each([["${A}"], ["$${A}"], ["$$${"], ["$"], ["${${"], ["${$}"]])(
  "escapeVariables of %j is read back as it was",
  (text) => {
    const args = { list: [{ text }], other: 1 };
    expect(fillVariables(escapeVariables(args), {}, new Map())).toEqual({ filledArguments: args });
  },
);
