import { describe, expect, test } from "bun:test";
import { treeParsers } from "#clients/wrapping/change-text.ts";
import { unwrapEntries, wrapEntries } from "#clients/wrapping/edit-entries.ts";
import {
  type Conversion,
  isConversionApplied,
  buildConversion,
  buildReversion,
} from "#clients/wrapping/convert-members.ts";
import type { SettingsLanguage } from "#clients/configured-entries.ts";

const converted: Conversion["converted"] = {
  renamed: [{ from: "headers", to: "env" }],
  inner: [{ of: "headers", from: "A", to: "V1" }],
  replaced: [
    {
      from: "url",
      to: [
        { name: "command", value: "m" },
        { name: "args", value: ["--", "u"] },
      ],
    },
  ],
  values: [{ of: "type", to: "stdio" }],
};

const conversion: Conversion = { path: ["s"], converted };

function findNode(language: SettingsLanguage, text: string) {
  const root = treeParsers[language](text);
  if ("fault" in root) throw new Error(root.fault);
  return root;
}

const layouts: readonly (readonly [SettingsLanguage, string, string])[] = [
  [
    "json",
    '{"s":{"type":"http","url":"u","headers":{"A":"b"}}}',
    '{"s":{"type":"stdio","command": "m", "args": ["--", "u"],"env":{"V1":"b"}}}',
  ],
  [
    "json",
    '{"s":{\r\n\t"url" : /* c */ "u", // d\r\n\t"headers":{"A":"b",},\r\n\t"type":"http"}}',
    '{"s":{\r\n\t"command": "m",\r\n\t"args": ["--", "u"], // d\r\n\t"env":{"V1":"b",},\r\n\t"type":"stdio"}}',
  ],
  [
    "toml",
    "[s]\n  url = 'u' # c\n  type = 'http'\n[s.headers]\nA = 'b'\n",
    '[s]\n  command = "m"\n  args = ["--", "u"] # c\n  type = "stdio"\n[s.env]\nV1 = \'b\'\n',
  ],
  [
    "toml",
    "s = { url = 'u', type = 'http', headers = { A = 'b' } }",
    's = { command = "m", args = ["--", "u"], type = "stdio", env = { V1 = \'b\' } }',
  ],
  [
    "toml",
    "s.url = 'u'\ns.type = 'http'\ns.headers.A = 'b'",
    's.command = "m"\ns.args = ["--", "u"]\ns.type = "stdio"\ns.env.V1 = \'b\'',
  ],
  [
    "yaml",
    "s:\n  url: u # c\n  type: http\n  headers:\n    A: b # d\n",
    's:\n  command: "m"\n  args: ["--", "u"] # c\n  type: "stdio"\n  env:\n    V1: b # d\n',
  ],
  [
    "yaml",
    "s: {url: u, type: http, headers: {A: b}}\n",
    's: {command: "m", args: ["--", "u"], type: "stdio", env: {V1: b}}\n',
  ],
];

describe.each(layouts)("in %s", (language, before, after) => {
  test(`${JSON.stringify(before)} is converted and reverted`, () => {
    const { text, refused } = wrapEntries({ text: before, language }, [conversion]);
    expect([text, [...refused.values()]]).toEqual([after, []]);
    const parent = findNode(language, before).members[0]?.node;
    const texts = buildReversion({ text: before, language }, parent, conversion);
    const back = unwrapEntries({ text, language }, [{ path: ["s"], texts }]);
    expect(back.text).toBe(before);
  });
});

test.each<readonly [string, SettingsLanguage, string]>([
  ["missing", "json", '{"s":{"type":"http","headers":{"A":"b"}}}'],
  ["duplicate", "json", '{"s":{"url":"u","url":"v","type":"http","headers":{"A":"b"}}}'],
  ["duplicate", "json", '{"s":{"url":"u","type":"http","headers":{"A":"b","A":"c"}}}'],
  ["special_syntax", "yaml", "x: &x {A: b}\ns: {url: u, type: http, headers: *x}\n"],
  ["special_syntax", "yaml", "s: {url: u, type: http, headers: {A: &x b}}\n"],
  ["missing", "yaml", "x: &x {url: u}\ns: {<<: *x, type: http, headers: {A: b}}\n"],
  ["layout", "yaml", "s:\n  url: >-\n    u\n  type: http\n  headers: {A: b}\n"],
  ["layout", "toml", "[s]\ntype = 'http'\nheaders.A = 'b'\n[s.url]\nx = 1\n"],
  ["meaning", "json", '{"s":{"url":"u","type":"http","env":{},"headers":{"A":"b"}}}'],
])("refused: %s in %s %s", (reason, language, text) => {
  const { refused, text: after } = wrapEntries({ text, language }, [conversion]);
  expect([[...refused.values()], after]).toEqual([[reason as never], text]);
});

test("the texts name the members that there are afterwards", () => {
  const parent = findNode("json", '{"url":"u","type":"http","headers":{}}');
  const settings = { text: '{"url":"u","type":"http","headers":{}}', language: "json" } as const;
  expect(buildConversion(settings, parent, conversion)).toMatchObject({
    after: ["env", "command", "args", "type"],
  });
  expect(buildReversion(settings, parent, conversion).after).toEqual(["headers", "url", "type"]);
});

const entry = (env: string, type: string): string =>
  `{"s":{"type":"${type}","command":"m","args":["--","u"],"env":${env}}}`;

test("a conversion holds only with the values of before", () => {
  const before = { text: layouts[0]?.[1] ?? "", root: findNode("json", layouts[0]?.[1] ?? "") };
  const holds = (after: string) =>
    isConversionApplied(
      { before, after: { text: after, root: findNode("json", after) } },
      conversion,
    );
  expect(holds(entry('{"V1":"b"}', "stdio"))).toBe(true);
  expect(holds(entry('{"V1":"c"}', "stdio"))).toBe(false);
  expect(holds(entry('{"V2":"b"}', "stdio"))).toBe(false);
  expect(holds(entry('{"V1":"b"}', "http"))).toBe(false);
  expect(holds("{}")).toBe(false);
});
