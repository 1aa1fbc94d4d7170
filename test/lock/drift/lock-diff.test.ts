import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { diffLocks, diffValues } from "#lock/drift/lock-diff.ts";
import { changedTool, lockedTool, lockWith } from "../../support/locks.ts";
import { diffLinesMax } from "#kit/text/difference.ts";
import { canonicalizeJson, type JsonObject } from "#wire/json.ts";

const definition = { name: "tool", description: "Old", inputSchema: {} };
const changed = changedTool({ definition: { ...definition, description: "New" } });

test("diffLocks shows the definitions that both have, member by member", () => {
  const [diff, ...others] = diffLocks(
    lockWith([lockedTool({ definition }), lockedTool({ name: "removed" })]),
    lockWith([changed, lockedTool({ name: "added" })]),
  );
  expect(others).toEqual([]);
  expect(diff?.tool).toBe("tool");
  const lines = diff?.lines.map(
    ({ sign, parts }) => `${sign}${parts.map(({ text }) => text).join("")}`,
  );
  expect(lines).toEqual(['-"description": "Old"', '+"description": "New"']);
});

const lock = (text: string) => lockWith([], { instructions: { sha256: null, tokens: 1, text } });

test("diffLocks shows changed instructions, and nothing of equal locks", () => {
  expect(diffLocks(lock("Read."), lock("Delete."))).toMatchObject([{ tool: null }]);
  expect(diffLocks(lock("Read."), lock("Read."))).toEqual([]);
});

test("diffLocks leaves out names that stand for several tools", () => {
  const twice = lockWith([changed, changed]);
  expect(diffLocks(lockWith([lockedTool({ definition })]), twice)).toEqual([]);
});

// Formats lines as `- a [b] c`, with changed words in brackets.
const shown = (before: JsonObject, after: JsonObject): string[] =>
  diffValues(before, after).lines.map(({ sign, parts }) => {
    const words = parts.map(({ text, is_changed: isChanged }) => (isChanged ? `[${text}]` : text));
    return `${sign} ${words.join("")}`;
  });

test("diffValues shows changed members below the names that lead to them, whatever their order", () => {
  const before = {
    name: "t",
    inputSchema: {
      type: "object",
      properties: {
        q: { type: "string", description: "Words to find" },
        limit: { type: "integer" },
      },
    },
  };
  const after = {
    inputSchema: {
      properties: {
        limit: { maximum: 9, type: "integer" },
        q: { description: "Words to lose", type: "string" },
      },
      type: "object",
    },
    name: "t",
    title: "T",
  };
  expect(shown(before, after)).toEqual([
    '  "inputSchema": {',
    '    "properties": {',
    '      "limit": {',
    '+       "maximum": 9',
    '      "q": {',
    '-       "description": "Words to [find]"',
    '+       "description": "Words to [lose]"',
    '+ "title": "T"',
  ]);
});

test("diffValues never mistakes one schema for another, and shows an added one whole", () => {
  const schema = { properties: { a: { type: "string" } }, type: "object" };
  expect(shown({ inputSchema: schema }, { inputSchema: schema, outputSchema: schema })).toEqual([
    '+ "outputSchema": {',
    '+   "properties": {',
    '+     "a": {',
    '+       "type": "string"',
    "+     }",
    "+   }",
    '+   "type": "object"',
    "+ }",
  ]);
});

test.each([
  [
    ["a", "b", "c"],
    ["a", "c"],
    ['  "x": [', '    "a"', '-   "b"', '    "c"'],
  ],
  [
    ["a", "b"],
    ["a", "z"],
    ['  "x": [', '    "a"', '-   "[b]"', '+   "[z]"'],
  ],
  [
    [{ k: 1 }, { k: 2 }],
    [{ k: 1 }, { k: 3 }],
    ['  "x": [', "    }", "    {", '-     "k": [2]', '+     "k": [3]', "    }"],
  ],
  ["a", ["a"], ['- "x": ["a"]', '+ "x": [[]', '+   "a"', "+ ]"]],
  [null, 0, ['- "x": [null]', '+ "x": [0]']],
])("diffValues of %j and %j", (before, after, lines) => {
  expect(shown({ x: before }, { x: after })).toEqual(lines);
});

const list = (seed: number) => Array.from({ length: 20_000 }, (_, at) => `${seed} ${at}`);

test("diffValues of lists that have nothing in common is quick, and cut", () => {
  const { lines, omitted_lines: omitted } = diffValues({ x: list(1) }, { x: list(2) });
  expect([lines.length, lines.length + omitted]).toEqual([diffLinesMax, 40_001]);
});

test("diffValues is empty for equal definitions alone", () => {
  const value = fc.jsonValue().map((json) => ({ json }));
  fc.assert(
    fc.property(value, value, (a, b) => {
      const isEqual = canonicalizeJson(a) === canonicalizeJson(b);
      expect(diffValues(a, b).lines.length === 0).toBe(isEqual);
      expect(diffValues(a, a).lines).toEqual([]);
    }),
  );
});
