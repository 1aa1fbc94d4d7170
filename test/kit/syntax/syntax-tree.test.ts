import { expect, test } from "bun:test";
import { parseJsoncTree } from "#kit/syntax/jsonc.ts";
import { isEquivalent, makeSyntaxNode, type SyntaxTree } from "#kit/syntax/syntax-tree.ts";

function parsed(text: string): SyntaxTree {
  const root = parseJsoncTree(text);
  if ("fault" in root) throw new Error(root.fault);
  return { text, root };
}

const isSame = (a: string, b: string) => isEquivalent(parsed(a), parsed(b), new Map());

test("a part has a kind, a place and nothing else", () => {
  expect(makeSyntaxNode("other", [1, 2])).toEqual({
    kind: "other",
    start: 1,
    end: 2,
    value: "",
    members: [],
    items: [],
    isBlock: false,
    hasSpecialSyntax: false,
  });
});

test("white space, comments and the spelling of a text mean nothing", () => {
  expect(isSame('{"a":["\\u0062",1]}', '{ "a": [/* */"b",\n1,] }')).toBe(true);
});

test.each([
  ['{"a":1}', '{"b":1}'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"a":1,"a":1}', '{"a":1}'],
  ["[1.0]", "[1]"],
  ["[1]", '["1"]'],
  ["[]", "{}"],
  ["[1]", "[1,1]"],
  ['["a"]', '["b"]'],
])("%s is not %s", (a, b) => {
  expect(isSame(a, b)).toBe(false);
});

test("ignored members may differ, also be missing", () => {
  const [a, b] = [parsed('{"a":1,"b":2}'), parsed('{"b":2,"c":3}')];
  const ignored = (...names: readonly string[]) => new Map([[a.root, new Set(names)]]);
  expect(isEquivalent(a, b, ignored("a", "c"))).toBe(true);
  expect(isEquivalent(a, b, ignored("a"))).toBe(false);
});
