import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { claudeCode } from "#history/importers/claude-code.ts";
import { parseRaw, RawJson } from "#history/imports/raw-json.ts";
import { MemberParser } from "#history/imports/member-parser.ts";
import { logsBelow, readLogBytes } from "../../support/cut-logs.ts";
import { mutated, seeded } from "../../support/hostile-logs.ts";
import { logsFolder } from "../../support/logs.ts";

const parser = new MemberParser({
  type: "value",
  at: "time",
  raw: "raw",
  message: { id: "value", items: ["raw", { kind: "value", text: "raw" }] },
});

const parse = (text: string | Buffer): unknown => {
  const bytes = Buffer.from(text);
  return parser.parse(bytes, 0, bytes.length);
};

// Replaces what was left as bytes by its value.
function resolve(value: unknown): unknown {
  const plain = parseRaw(value);
  if (Array.isArray(plain)) return plain.map(resolve);
  if (typeof plain !== "object" || plain === null) return plain;
  return Object.fromEntries(Object.entries(plain).map(([name, member]) => [name, resolve(member)]));
}

test.each<[string, unknown]>([
  ["{}", {}],
  [' { "type" : "a" , "other" : [ 1 , { "type" : 2 } ] } ', { type: "a" }],
  ['{"type":1,"type":[2,"x"]}', { type: [2, "x"] }],
  ['{"type":null,"raw":"a\\"b\\\\"}', { type: null, raw: 'a"b\\' }],
  ['{"type":-1.5e3,"raw":{"a":[]}}', { type: -1500, raw: { a: [] } }],
  ['{"type":"\\u00e9é\\n","message":"text"}', { type: "éé\n", message: "text" }],
  [
    '{"message":{"id":"m","items":[{"kind":1,"text":"t"},"plain",3]}}',
    {
      message: { id: "m", items: [{ kind: 1, text: "t" }, "plain", 3] },
    },
  ],
  ['{"message":{"__proto__":{"id":1},"constructor":2}}', { message: {} }],
  ['{"unwanted":"{\\"type\\":\\"x\\"}","type":"y"}', { type: "y" }],
])("%s: wanted members have the values of JSON.parse", (text, expected) => {
  expect(resolve(parse(text))).toEqual(expected);
});

test.each([
  "",
  "[]",
  "4",
  "{",
  '{"type"}',
  '{"type":}',
  '{"type":"a"',
  '{"type":"a"}}',
  '{"type":"a"} {}',
  '{"type":"a",}',
  '{"other":"a}',
  '{"other":[1,2}',
  '{"other":[1,2]',
  '{"type":tru}',
  '{"type":01}',
  '{"ty\\u0070e":"a"}',
  "{type:1}",
])("%s: JSON.parse decides about anything else", (text) => {
  expect(parse(text)).toBeUndefined();
});

test("an object that is cut at any byte is rejected", () => {
  const whole = Buffer.from(
    '{"other":["a\\"]",{"x":{}}],"message":{"items":[{"text":"é"}]},"at":1}',
  );
  expect(parse(whole)).toBeDefined();
  for (let end = 0; end < whole.length; end += 1)
    expect(parse(whole.subarray(0, end))).toBeUndefined();
});

test("a member is read each time, whether its text repeats, changes or shares a beginning", () => {
  const texts = [
    "a",
    "ab",
    "a",
    "",
    "ab",
    "a".repeat(200),
    "a",
    ...Array.from({ length: 150 }, String),
  ];
  for (const text of [...texts, ...texts]) {
    expect(parse(JSON.stringify({ type: text, other: 1 }))).toEqual({ type: text });
  }
});

describe("a time", () => {
  test.each([
    "1970-01-01T00:00:00.000Z",
    "2026-03-28T23:59:59.999Z",
    "2026-12-31T23:59:59.123Z",
    "2024-02-29T12:00:00.000Z",
  ])("%s is milliseconds, or the text for Date.parse", (text) => {
    const { at } = Object(parse(JSON.stringify({ at: text })));
    expect(typeof at === "number" ? at : Date.parse(String(at))).toBe(Date.parse(text));
  });

  test.each(["2026-03-14", "2026-13-14T00:00:00.000Z", "2026-03-14T24:00:00.000Z", "now", ""])(
    "%s stays a text",
    (text) => {
      expect(parse(JSON.stringify({ at: text }))).toEqual({ at: text });
    },
  );

  test("keeps its value if it is no text", () => {
    expect(resolve(parse('{"at":1700000000000}'))).toEqual({ at: 1_700_000_000_000 });
  });
});

const readText = (json: string): string | undefined =>
  new RawJson(Buffer.from(`[${json}]`), 1, 1 + Buffer.byteLength(json)).readText()?.toString();

describe("a raw text", () => {
  test("has the UTF-8 of its value, for escapes and for characters of any length", () => {
    const random = seeded(7);
    const letters = [
      "a",
      '"',
      "\\",
      "\n",
      "\t",
      "\b",
      "\f",
      "\r",
      "/",
      "é",
      "€",
      "😀",
      "\u0001",
      "\u2028",
    ];
    for (let times = 0; times < 500; times += 1) {
      const text = Array.from({ length: random(40) }, () => letters[random(letters.length)]).join(
        "",
      );
      const json = JSON.stringify(text);
      expect(readText(json)).toBe(text);
      const escaped = json.replaceAll(
        /[^ -~]/g,
        (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
      expect(readText(escaped)).toBe(text);
    }
  });

  test("with half of a character has a replacement character, as in a file", () => {
    expect(readText('"a\\ud800b"')).toBe("a\uFFFDb");
    expect(readText('"\\udc00\\ud800"')).toBe("\uFFFD\uFFFD");
  });

  test("is absent for another value, or with a wrong escape", () => {
    expect(["1", "[]", "{}", '"\\x"', '"\\u00"', '"\\u00zz"'].map(readText)).toEqual(
      Array.from({ length: 6 }),
    );
  });

  test("that is longer than the buffer of the last text is read whole", () => {
    const text = "\n".repeat(300_000);
    expect(readText(JSON.stringify(text))).toBe(text);
  });
});

describe("Claude Code's logs have the same events as when each line is parsed whole", () => {
  const { lines: _lines, ...plain } = claudeCode;
  const homes = [
    "claude-code",
    ...["agg", "all", "all197", "lim1000", "res", "sub"].map((run) =>
      join("claude-code-runs", run),
    ),
  ];

  test.each(homes)("%s", (home) => {
    for (const file of logsBelow(claudeCode, join(logsFolder, home))) {
      expect(readLogBytes(claudeCode, file)).toEqual(readLogBytes(plain, file));
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("with hostile values, seed %i", (seed) => {
    const random = seeded(seed);
    for (const { log, bytes } of logsBelow(claudeCode, join(logsFolder, "claude-code"))) {
      const file = { log, bytes: mutated(bytes.toString(), true, random) };
      expect(readLogBytes(claudeCode, file)).toEqual(readLogBytes(plain, file));
    }
  });
});
