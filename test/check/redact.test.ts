import { expect, test } from "bun:test";
import { createRedact } from "#check/redact.ts";

const secrets = new Map([
  ["TOKEN", 'a"b c'],
  ["LONG", 'a"b cd'],
  ["LINES", "one\ntwo"],
  ["EMPTY", ""],
  ["NAME", "TOKEN"],
  ["HALF", "\ud800"],
]);
const redact = createRedact(secrets);

test.each([
  ['it is a"b c.', "it is ${TOKEN}."],
  ['a"b cd', "${LONG}"],
  ['{"t":"a\\"b c"}', '{"t":"${TOKEN}"}'],
  ['"{\\"t\\":\\"a\\\\\\"b c\\"}"', '"{\\"t\\":\\"${TOKEN}\\"}"'],
  ["?t=a%22b%20c", "?t=${TOKEN}"],
  ["one\ntwo", "${LINES}"],
  ["one\\ntwo", "${LINES}"],
  ["nothing", "nothing"],
  ["TOKEN", "${NAME}"],
])("createRedact: %j becomes %j", (text, shown) => {
  expect(redact(text)).toBe(shown);
});

test("createRedact without secrets changes nothing", () => {
  expect(createRedact(new Map([["A", ""]]))("text")).toBe("text");
});
