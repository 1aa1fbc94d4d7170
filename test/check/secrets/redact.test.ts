import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { createRedact } from "#check/secrets/redact.ts";
import { secretCharactersMax } from "#limits/definitions.ts";

const secrets = new Map([
  ["TOKEN", 'a"b c'],
  ["LONG", 'a"b cd'],
  ["LINES", "one\ntwo"],
  ["EMPTY", ""],
  ["NAME", "TOKEN"],
  ["HALF", "\ud800"],
  ["PATH_", "pä/ß&<d"],
  ["ONE", "~"],
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
  // Letters as JSON libraries escape them, in either case of the digits.
  ["p\\u00e4\\/\\u00DF\\u0026\\u003cd", "${PATH_}"],
  ["\\u0070\\u00E4/ß&\\u003Cd", "${PATH_}"],
  // Forms and URLs.
  ["?t=a%22b+c&u", "?t=${TOKEN}&u"],
  [`?p=${encodeURI("pä/ß&<d")}&u`, "?p=${PATH_}&u"],
  ["p%c3%a4%2f%c3%9f%26%3cd", "${PATH_}"],
  ["p%25C3%25A4%252F%25C3%259F%2526%253Cd", "${PATH_}"],
  // HTML, of one pass and of two, and HTML in JSON.
  ["t=a&quot;b c", "t=${TOKEN}"],
  ["a&#34;b&#x20;c", "${TOKEN}"],
  ["p&#228;/&#xdf;&amp;&lt;d", "${PATH_}"],
  ["p&amp;#228;/ß&amp;amp;&amp;lt;d", "${PATH_}"],
  ["pä/ß\\u0026amp;\\u0026lt;d", "${PATH_}"],
  // A shell, CSV, Markdown.
  ['echo a\\"b\\ c', "echo ${TOKEN}"],
  ['"a""b c"', '"${TOKEN}"'],
  ["p\\ä/ß\\&\\<d", "p\\ä/ß\\&\\<d"],
  ["pä/ß\\&\\<d", "${PATH_}"],
  // Any normal form of Unicode.
  ["pa\u0308/ß&<d", "${PATH_}"],
  ["p%61%CC%88/ß&<d", "${PATH_}"],
  // A value of one character is removed like any other.
  ["a~b%7e\\u007e", "a${ONE}b${ONE}${ONE}"],
])("createRedact: %j becomes %j", (text, shown) => {
  expect(redact(text)).toBe(shown);
});

test("createRedact removes a quote inside quotes", () => {
  const clean = createRedact(new Map([["KEY", "it's"]]));
  for (const shown of ["'it\\'s'", "'it'\\''s'", `'it'"'"'s'`, "'it''s'", "'it's'"]) {
    expect(clean(shown)).toBe("'${KEY}'");
  }
});

test("createRedact removes a token of eight characters or more in either case, and no word", () => {
  const secret = new Map([
    ["ID", "3f2504e0-4F89"],
    ["WORD", "Password"],
    ["SHORT", "Abc1"],
  ]);
  const clean = createRedact(secret);
  expect(clean("3F2504E0-4F89 3f2504e0-4f89")).toBe("${ID} ${ID}");
  expect(clean("password Password abc1 Abc1")).toBe("password ${WORD} abc1 ${SHORT}");
});

// docs/ci.md and SECURITY.md say so.
test("createRedact does not find a value that is encoded as a whole, or taken apart", () => {
  const value = "s3cret-value";
  const clean = createRedact(new Map([["KEY", value]]));
  for (const shown of [
    Buffer.from(value).toString("base64"),
    Buffer.from(value).toString("hex"),
    value.slice(0, -1),
    `${value.slice(0, 5)}\n${value.slice(5)}`,
    [...value].toReversed().join(""),
    "\\163\\063cret-value",
    "\\u{73}3cret-value",
  ]) {
    expect(clean(shown)).toBe(shown);
  }
});

test.each([
  ["hunter2hunter2\n", "got hunter2hunter2."],
  ["  hunter2hunter2 ", "got hunter2hunter2."],
  ["line one\nline two\n", "got line one\r\nline two."],
  ["line one\r\nline two", "got line one\nline two."],
  ["cl\u00e9-2026", "got cl%E9-2026."],
])("createRedact finds %j without its white space, and with other line ends", (value, text) => {
  expect(createRedact(new Map([["KEY", value]]))(text)).toBe("got ${KEY}.");
});

test("createRedact without secrets changes nothing", () => {
  expect(createRedact(new Map([["A", ""]]))("text")).toBe("text");
});

test("createRedact replaces values that overlap together, by the longer one", () => {
  const both = createRedact(
    new Map([
      ["A", "abcd"],
      ["B", "cdefg"],
    ]),
  );
  expect(both("-abcdefg-abcd-cdefg-")).toBe("-${B}-${A}-${B}-");
});

test("createRedact removes a value of secretCharactersMax characters, and a longer one", () => {
  for (const length of [secretCharactersMax, secretCharactersMax + 1, secretCharactersMax * 2]) {
    const value = `${"x".repeat(length - 1)}y`;
    const shown = createRedact(new Map([["A", value]]))(`<${value}>`);
    expect(shown).toMatch(/^<(\$\{A\})+>$/);
  }
});

const hexOf = (unit: string): string => unit.charCodeAt(0).toString(16).padStart(4, "0");

const perUnit = (text: string, write: (unit: string) => string): string =>
  text.replaceAll(/[\s\S]/g, write);

const lower = (text: string): string =>
  text.replaceAll(/%[0-9A-F]{2}/g, (one) => one.toLowerCase());

/** The ways in which a server may write a character. */
const writers: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => JSON.stringify(character).slice(1, -1),
  (character) => JSON.stringify(JSON.stringify(character).slice(1, -1)).slice(1, -1),
  (character) => perUnit(character, (unit) => `\\u${hexOf(unit)}`),
  (character) => perUnit(character, (unit) => `\\u${hexOf(unit).toUpperCase()}`),
  (character) => perUnit(character, (unit) => `\\\\u${hexOf(unit)}`),
  (character) => (character === "/" ? "\\/" : character),
  (character) => encodeURIComponent(character),
  (character) => lower(encodeURIComponent(character)),
  (character) => encodeURIComponent(encodeURIComponent(character)),
  (character) => encodeURI(character),
  (character) => (character === " " ? "+" : encodeURIComponent(character)),
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16)};`,
  (character) => character.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;"),
  (character) => `&amp;#${character.codePointAt(0)};`,
  (character) => `\\u0026#${character.codePointAt(0)};`,
  (character) => (/[ -/:-@[-`{-~]/.test(character) ? `\\${character}` : character),
  (character) => (character === "'" ? "'\\''" : character),
  (character) => (character === "'" ? `'"'"'` : character),
  (character) => (character === "'" ? "''" : character),
  (character) => (character === '"' ? '""' : character),
  (character) =>
    Buffer.from(character)
      .toString("hex")
      .replaceAll(/../g, (byte) => `%${byte}`),
];

/** Characters that escapes are made of, and others; none is in the mark or around the value. */
const alphabet = [..."\"'\\/%+& <>25ubfnrtxacde0äß\n\t\u0001€😀"];
const valueOf = fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 12 });
const around = fc.array(fc.constantFrom("K", "=", ":", "."), { maxLength: 5 });
const waysOf = fc.array(fc.constantFrom(...writers), { minLength: 12, maxLength: 12 });

test("createRedact removes any value, in any mix of escapes", () => {
  fc.assert(
    fc.property(valueOf, waysOf, around, around, (characters, ways, left, right) => {
      const written = characters.map((one, at) => ways[at]?.(one) ?? one).join("");
      const clean = createRedact(new Map([["V", characters.join("")]]));
      const [before, after] = [left.join(""), right.join("")];
      expect(clean(`${before}${written}${after}`)).toBe(`${before}\${V}${after}`);
    }),
    { numRuns: 4_000 },
  );
});
