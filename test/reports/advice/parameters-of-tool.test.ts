import { expect, test } from "bun:test";
import { parametersOf } from "#reports/advice/parameters-of-tool.ts";
import { noLists, withList } from "#reports/advice/server-usage.ts";
import { toolDefinition } from "../../support/made-records.ts";
import { twoTools } from "../../support/made-advice.ts";

function listed(ms: number, names: readonly string[] | undefined, isComplete = true) {
  const tool = toolDefinition("read", 100);
  const tools = [names ? { ...tool, narrowing_parameters: names } : tool];
  return { ts: "", ms, list: twoTools({ tools, is_complete: isComplete }) };
}

test("parameters are those of the newest list with the tool; unknown where it does not say", () => {
  const lists = [listed(1, ["head"]), listed(2, ["limit"])].reduce(withList, noLists);
  expect(parametersOf(lists, "read")).toEqual(["limit"]);
  expect(parametersOf(lists, "write")).toBeUndefined();
  expect(parametersOf(withList(noLists, listed(1, [])), "read")).toEqual([]);
  expect(parametersOf(withList(noLists, listed(1, undefined)), "read")).toBeUndefined();
  expect(parametersOf(noLists, "read")).toBeUndefined();
});
