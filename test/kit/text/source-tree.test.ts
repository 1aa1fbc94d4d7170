import { expect, test } from "bun:test";
import {
  findDuplicate,
  findOffset,
  makePositionFinder,
  type SourceNode,
} from "#kit/syntax/syntax-tree.ts";

const leaf = (start: number): SourceNode => ({ start, members: [], items: [] });
const member = (name: string, start: number, node = leaf(start + 5)) => ({ name, start, node });
const items = (...nodes: SourceNode[]) => nodes.map((node) => ({ node }));
const list: SourceNode = { start: 20, members: [], items: items(leaf(21), leaf(22)) };
const root: SourceNode = { start: 0, members: [member("a", 1), member("b", 10, list)], items: [] };

test.each([
  [["a"], "name", 1],
  [["a"], "value", 6],
  [["b", "1"], "value", 22],
  [["b", "1"], "name", 22],
  [["b", "7"], "value", 20],
  [["c", "d"], "name", 0],
  [[], "value", 0],
] as const)("findOffset %j, its %s", (path, target, offset) => {
  expect(findOffset(root, path, target)).toBe(offset);
});

test("findDuplicate finds the second of two names, in lists and in cycles", () => {
  expect(findDuplicate(root)).toBeUndefined();
  const twice: SourceNode = { start: 0, members: [member("a", 1), member("a", 9)], items: [] };
  const parent: SourceNode = { start: 0, members: [], items: items(root, twice) };
  expect(findDuplicate(parent)).toEqual({ fault: 'property "a" is defined twice', offset: 9 });
  const circle = { start: 0, members: [] as SourceNode["members"][number][], items: [] };
  circle.members.push(member("self", 1, circle));
  expect(findDuplicate(circle)).toBeUndefined();
});

test.each([
  [0, 1, 1],
  [1, 1, 2],
  [2, 2, 1],
  [5, 3, 2],
])("makePositionFinder: character %d is in line %d, column %d", (offset, line, column) => {
  expect(makePositionFinder("a\nb\ncd")(offset)).toEqual({ line, column });
});
