import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createRedactor } from "#check/redact-known-values.ts";

const secrets = new Map([
  ["TOKEN", 'a"b c'],
  ["LONG", 'a"b cd'],
  ["LINES", "one\ntwo\n"],
  ["EMPTY", ""],
  ["NAME", "TOKEN"],
  ["HALF", "\ud800"],
  ["PATH_", "pä/ß&<d"],
  ["ONE", "~"],
]);
const redact = createRedactor(secrets);

test.each([
  ['it is a"b c.', "it is ${TOKEN}."],
  ['a"b cd', "${LONG}"],
  ["one\ntwo\n", "${LINES}"],
  ["nothing", "nothing"],
  ["TOKEN", "${NAME}"],
  ["a~b%7E~", "a${ONE}b${ONE}${ONE}"],
  ["one\ntwo.", "${LINES}."],
  // JSON, JSON inside a JSON text, and both in ASCII.
  ['{"t":"a\\"b c"}', '{"t":"${TOKEN}"}'],
  ['"{\\"t\\":\\"a\\\\\\"b c\\"}"', '"{\\"t\\":\\"${TOKEN}\\"}"'],
  ["one\\ntwo", "${LINES}"],
  ["p\\u00e4/\\u00df&<d", "${PATH_}"],
  ["p\\\\u00e4/\\\\u00df&<d", "${PATH_}"],
  // As PHP, Go and .NET escape JSON.
  ["p\\u00e4\\/\\u00df&<d", "${PATH_}"],
  ["p\\\\u00e4\\\\\\/\\\\u00df&<d", "${PATH_}"],
  ["pä/ß\\u0026\\u003cd", "${PATH_}"],
  ["p\\u00E4/\\u00DF\\u0026\\u003Cd", "${PATH_}"],
  ["a\\\\u0022b c", "${TOKEN}"],
  ["?t=a%22b%20c", "?t=${TOKEN}"],
  ["?t=a%22b+c&u", "?t=${TOKEN}&u"],
  [`?p=${encodeURI("pä/ß&<d")}&u`, "?p=${PATH_}&u"],
  ["p%c3%a4%2f%c3%9f%26%3cd", "${PATH_}"],
])("createRedactor: %j becomes %j", (text, shown) => {
  expect(redact(text)).toBe(shown);
});

// docs/ci.md and SECURITY.md say so.
test("createRedactor does not find a value that is encoded in another way, or taken apart", () => {
  const value = "s3cret-välue";
  const redactKey = createRedactor(new Map([["KEY", value]]));
  for (const shown of [
    Buffer.from(value).toString("base64"),
    Buffer.from(value).toString("hex"),
    value.slice(0, -1),
    `${value.slice(0, 5)}\n${value.slice(5)}`,
    value.toUpperCase(),
    value.normalize("NFD"),
    value.replace("ä", "&auml;"),
    value.replace("ä", "%25C3%25A4"),
  ]) {
    expect(redactKey(shown)).toBe(shown);
  }
});

test.each([
  ["signs", "#=/+".repeat(2_500)],
  ["lines", `${"A".repeat(64)}\n`.repeat(1_000)],
])("createRedactor finds a secret of many %s, also in JSON", (_, value) => {
  const redactKey = createRedactor(new Map([["KEY", value]]));
  const json = JSON.stringify({ value });
  expect(redactKey(`${value} ${json} ${JSON.stringify(json)}`)).toBe(
    '${KEY} {"value":"${KEY}"} "{\\"value\\":\\"${KEY}\\"}"',
  );
});

test("createRedactor without secrets changes nothing", () => {
  expect(createRedactor(new Map([["A", ""]]))("text")).toBe("text");
});

test("createRedactor takes the first of two values that overlap, and the longer of two that begin together", () => {
  const both = createRedactor(
    new Map([
      ["A", "abcd"],
      ["B", "cdefg"],
      ["C", "abcdef"],
    ]),
  );
  expect(both("-abcd-cdefg-abcdefg-")).toBe("-${A}-${B}-${C}g-");
});

const escapeJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const writeNumber = (unit: string): string =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const jsonWriters: readonly ((value: string) => string)[] = [
  escapeJson,
  // PHP, Go and .NET
  (value) =>
    escapeJson(value)
      .replaceAll(/[^ -~]/g, writeNumber)
      .replaceAll("/", String.raw`\/`),
  (value) => escapeJson(value).replaceAll(/[&<>]/g, writeNumber),
  (value) =>
    escapeJson(value.replaceAll('"', "\u{2}"))
      .replaceAll(/[^ -~]|[&<>+'`]/g, (unit) => writeNumber(unit).toUpperCase().replace("U", "u"))
      .replaceAll(String.raw`\u0002`, String.raw`\u0022`),
];
const writers: readonly ((value: string) => string)[] = [
  (value) => value,
  ...jsonWriters,
  ...jsonWriters.map((write) => (value: string) => write(write(value))),
  (value) => encodeURIComponent(value),
  (value) => encodeURI(value),
  (value) => new URLSearchParams({ v: value }).toString().slice(2),
];

const alphabet = [..."\"'\\/%+& <>25ubfnrtxacde0äß\n\t\u0001€😀"];
const anyValue = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 12 });
const anyAround = fc.string({ unit: fc.constantFrom("K", "=", ":", "."), maxLength: 5 });

test("createRedactor removes any value, in each of its forms", () => {
  fc.assert(
    fc.property(anyValue, anyAround, anyAround, (value, left, right) => {
      const redactOne = createRedactor(new Map([["V", value]]));
      for (const write of writers) {
        expect(redactOne(`${left}${write(value)}${right}`)).toBe(`${left}\${V}${right}`);
      }
    }),
    { numRuns: 1_000 },
  );
});
