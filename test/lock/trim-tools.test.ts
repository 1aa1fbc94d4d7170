import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { trimListLine, trimTools } from "#lock/trim-tools.ts";
import { isHiddenTool, noTrim, trimsLists } from "#lock/hidden-tools.ts";
import { isObject, readString } from "#wire/json.ts";
import { skimMembersMax } from "#wire/skimmer.ts";
import { dataFiles } from "../tokens/tokenizer/support/files.ts";
import { bytesOf, textOf } from "../support/bytes.ts";

const hiding = (...hide: readonly string[]) => ({ ...noTrim, hide });
const slim = { ...noTrim, isSlim: true };

const trimmed = (line: string, rules = hiding("b")) => {
  const bytes = trimListLine(bytesOf(line), rules);
  return bytes && textOf(bytes);
};

test.each([
  [[], [], "a", false],
  [["a"], [], "a", true],
  [["a"], [], "A", false],
  [["admin_*"], [], "admin_", true],
  [["?"], [], "ab", false],
  [[], ["a"], "a", false],
  [[], ["a"], "b", true],
  [["a"], ["a"], "a", true],
  [["a"], [], null, true],
  [[], ["a"], null, true],
  [[], [], null, false],
] as const)("isHiddenTool: hide %j, only %j, tool %p: %p", (hide, only, tool, isHidden) => {
  expect(isHiddenTool({ ...noTrim, hide, only }, tool)).toBe(isHidden);
});

test("trimsLists is false without a rule", () => {
  expect(trimsLists(noTrim)).toBe(false);
  expect([hiding("a"), { ...noTrim, only: ["a"] }, slim].every(trimsLists)).toBe(true);
  expect(trimsLists({ ...noTrim, descriptionMax: 20 })).toBe(true);
});

const list = (tools: string): string =>
  `{ "id":1.0,"jsonrpc":"2.0", "result" :{"tools": [${tools}] ,"nextCursor":"c"} }\r\n`;

describe("trimListLine changes no other byte", () => {
  test.each([
    ["", ""],
    ['{"name":"b"}', ""],
    [
      ' {"name":"a", "x":9007199254740993},{"name":"b"},\t{"n":1,"name":"c"} ',
      ' {"name":"a", "x":9007199254740993},\t{"n":1,"name":"c"} ',
    ],
    ['{"name":"\\u0062"},{"name":"a","d":"]},{\\""}', '{"name":"a","d":"]},{\\""}'],
    ['{"name":"a","m":NaN},{"name":"b","m":-Infinity}', '{"name":"a","m":NaN}'],
    ['{"noname":1},5,{"name":7},{"name":"b"},{}', '{"noname":1},5,{"name":7},{}'],
  ])("%s", (tools, rest) => {
    expect(trimmed(list(tools))).toBe(list(rest));
  });

  test("a list behind any number of other members is found", () => {
    const others = Object.fromEntries([...Array(2 * skimMembersMax).keys()].map((at) => [at, at]));
    const line = (...names: readonly string[]): string =>
      JSON.stringify({ id: 1, result: { ...others, tools: names.map((name) => ({ name })) } });
    expect(trimmed(line("a", "b"))).toBe(line("a"));
  });

  test.each([
    '{"id":1,"result":{"tools":{}}}',
    '{"id":1,"result":[]}',
    '{"id":1,"error":{"code":1}}',
    "[]",
    "",
  ])("it knows no list in %s", (line) => {
    expect(trimmed(line)).toBeUndefined();
  });

  test("numbers that no double holds stay in a shortened definition", () => {
    const tool = '{"name":"a","inputSchema":{"$schema":"x","maximum":9223372036854775807}}';
    expect(trimmed(list(tool), slim)).toBe(
      list('{"name":"a","inputSchema":{"maximum":9223372036854775807}}'),
    );
  });

  test("a definition without anything to leave out keeps its bytes", () => {
    const tool = '{ "name":"a", "inputSchema":{ "type" : "object" } }';
    expect(trimmed(list(tool), slim)).toBe(list(tool));
  });

  test("of any list and any rules, what is left is what trimTools shows", () => {
    const names = ["a", "b", "ab", "b*", "é", ""];
    const tool = fc.record({
      name: fc.constantFrom(...names),
      description: fc.constantFrom("", "One. Two."),
    });
    const rules = fc.record({ hide: fc.subarray(names), only: fc.subarray(names) });
    fc.assert(
      fc.property(fc.array(tool), rules, (tools, { hide, only }) => {
        const all = { ...noTrim, hide, only };
        const line = trimmed(JSON.stringify({ id: 1, result: { tools } }), all) ?? "";
        const { shown, hidden } = trimTools(tools, all);
        expect(JSON.parse(line).result.tools).toEqual(shown);
        expect(shown.length + hidden.length).toBe(tools.length);
        for (const { name } of hidden) expect(isHiddenTool(all, String(name))).toBe(true);
      }),
    );
  });
});

const files = await dataFiles();

const keepTerms = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(keepTerms);
  if (!isObject(schema)) return schema;
  const terms = Object.entries(schema).filter(
    ([key, value]) =>
      !["$schema", "$defs", "definitions"].includes(key) && typeof value !== "string",
  );
  return Object.fromEntries(terms.map(([key, value]) => [key, keepTerms(value)]));
};

test.skipIf(files.length === 0)(
  "a slim and short definition of a real server accepts the same arguments",
  async () => {
    const rules = { ...slim, descriptionMax: 60 };
    let [before, after] = [0, 0];
    for (const file of files) {
      const { tools } = await Bun.file(file).json();
      const { shown, unshortened } = trimTools(tools, rules);
      for (const short of shown) {
        const whole = unshortened.get(short) ?? short;
        expect(keepTerms(short)).toEqual(keepTerms(whole));
        expect(readString(short, "description")?.length ?? 0).toBeLessThanOrEqual(60);
        before += JSON.stringify(whole).length;
        after += JSON.stringify(short).length;
      }
      expect(trimTools(shown, rules).unshortened.size).toBe(0);
    }
    expect(after / before).toBeLessThan(0.8);
  },
);
