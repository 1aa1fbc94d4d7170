import { describe, expect, test } from "bun:test";
import { ToolList } from "#cost/tool-list.ts";
import { toolsListedMax } from "#limits.ts";

const tool = (name: string, more: object = {}) => ({
  name,
  description: "d",
  inputSchema: {},
  ...more,
});

function listed(
  ...pages: readonly (readonly [cursor: string | undefined, result: unknown])[]
): ToolList {
  const list = new ToolList();
  for (const [cursor, result] of pages) list.addPage(cursor, result);
  return list;
}

describe("ToolList", () => {
  test("pages add up, and the last one completes the list", () => {
    const list = listed([undefined, { tools: [tool("a")], nextCursor: "2" }]);
    expect(list.isComplete).toBe(false);
    list.addPage("2", { tools: [tool("b")] });
    expect([list.tools.map(({ name }) => name), list.total, list.isComplete]).toEqual([
      ["a", "b"],
      2,
      true,
    ]);
  });

  test("a list without a cursor begins anew", () => {
    const list = listed(
      [undefined, { tools: [tool("a")] }],
      [undefined, { tools: [tool("b"), tool("c")] }],
    );
    expect(list.tools.map(({ name }) => name)).toEqual(["b", "c"]);
    expect(list.total).toBe(2);
  });

  test("what is no tool is not listed", () => {
    expect(listed([undefined, { tools: [null, 7, [], tool("a")] }]).total).toBe(1);
    expect(listed([undefined, { tools: "none" }]).total).toBe(0);
  });

  test(`of ${toolsListedMax + 1} tools, all are counted and ${toolsListedMax} kept`, () => {
    const tools = Array.from({ length: toolsListedMax + 1 }, () => tool("t"));
    const list = listed([undefined, { tools }]);
    expect([list.total, list.tools.length]).toEqual([toolsListedMax + 1, toolsListedMax]);
  });
});
