import { expect, test } from "bun:test";
import { findToolListChanges } from "#check/tool-list-changes.ts";

const tool = (name: string, description = "") => ({ name, description });

test("findToolListChanges finds none in another order of tools and keys", () => {
  const before = [tool("a"), tool("b")];
  expect(findToolListChanges(before, [{ description: "", name: "b" }, tool("a")])).toEqual([]);
  expect(findToolListChanges([], [])).toEqual([]);
});

test("findToolListChanges names tools that are added, removed and changed", () => {
  const changes = findToolListChanges(
    [tool("a"), tool("b"), tool("c")],
    [tool("c", "x"), tool("b"), tool("d")],
  );
  expect(changes).toEqual([
    { tool: "a", change: "removed" },
    { tool: "c", change: "changed", what: "description changed" },
    { tool: "d", change: "added" },
  ]);
});

test("findToolListChanges compares every definition of a name", () => {
  const twice = [tool("a"), tool("a", "x")];
  expect(findToolListChanges(twice, twice.toReversed())).toEqual([]);
  expect(findToolListChanges(twice, [tool("a")])).toEqual([
    { tool: "a", change: "changed", what: undefined },
  ]);
});

test("findToolListChanges leaves out what neither a model nor a caller notices", () => {
  const schema = { type: "object", properties: { q: { enum: ["a", "b"] } } };
  const before = { ...tool("a"), inputSchema: schema, _meta: { generatedAt: 1 } };
  const reordered = { type: "object", properties: { q: { enum: ["b", "a"] } } };
  const after = { ...tool("a"), inputSchema: reordered, _meta: { generatedAt: 2 } };
  expect(findToolListChanges([before], [after])).toEqual([]);
});
