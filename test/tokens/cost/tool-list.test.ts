import { describe, expect, test } from "bun:test";
import { type ListState, ToolList, listEntriesMax } from "#tokens/cost/tool-list.ts";
import { describeRequest } from "#tokens/cost/describe-calls.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { definition as tool, listed } from "../../support/listed-tools.ts";

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
  });

  const page = { tools: [tool("a")], nextCursor: "2" };
  test.each<
    [
      name: string,
      pages: readonly [cursor: string | undefined, result: unknown][],
      told: [state: ListState, total: number],
    ]
  >([
    ["no answer", [], ["none", 0]],
    ["a list without tools", [[undefined, { tools: [] }]], ["complete", 0]],
    ["a page of several", [[undefined, page]], ["cut_short", 1]],
    ["no list at all", [[undefined, { tools: "none" }]], ["failed", 0]],
    ["an answer that was not read", [[undefined, undefined]], ["failed", 0]],
    [
      "a page and then no list",
      [
        [undefined, page],
        ["2", {}],
      ],
      ["failed", 1],
    ],
  ])("after %s", (_name, pages, expected) => {
    const { state, total, isComplete } = listed(...pages);
    expect([state, total]).toEqual(expected);
    expect(isComplete).toBe(state === "complete");
  });

  test("that failed begins anew with the next list, and leaves a complete one as it is", () => {
    const list = new ToolList();
    list.addPage(undefined, page);
    list.fail("2");
    expect([list.state, list.total]).toEqual(["failed", 1]);
    list.addPage("3", page);
    expect([list.state, list.total]).toEqual(["failed", 2]);
    list.fail(undefined);
    expect([list.state, list.total]).toEqual(["failed", 0]);
    list.addPage(undefined, { tools: [tool("b")] });
    list.fail(undefined);
    expect([list.state, list.total]).toEqual(["complete", 1]);
    list.addPage("2", page);
    expect([list.state, list.total]).toEqual(["complete", 1]);
  });

  test("a tool for apps is known by its name as calls have it, clipped", () => {
    const appOnly = { _meta: { ui: { visibility: ["app"] } } };
    const long = "n".repeat(nameCharactersMax + 1);
    const called = describeRequest("tools/call", { name: long }).tool ?? "";
    expect(listed([undefined, { tools: [tool(long, appOnly)] }]).isForApps(called)).toBe(true);
    const both = { tools: [tool(long, appOnly), tool(`${called}m`)] };
    expect(listed([undefined, both]).isForApps(called)).toBe(false);
    const nameless = { tools: [{ inputSchema: {}, ...appOnly }] };
    expect(listed([undefined, nameless]).isForApps("")).toBe(false);
  });

  test(`of ${listEntriesMax + 1} tools, all are counted and ${listEntriesMax} kept`, () => {
    const tools = Array.from({ length: listEntriesMax + 1 }, () => tool("t"));
    const list = listed([undefined, { tools }]);
    expect([list.total, list.tools.length]).toEqual([listEntriesMax + 1, listEntriesMax]);
  });
});
