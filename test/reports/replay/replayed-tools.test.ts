import { expect, test } from "bun:test";
import { actionRules } from "#actions/rules.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import { ReplayedTools } from "#reports/replay/replayed-tools.ts";
import { callRecord } from "../../support/made-records.ts";

const specs = ["read=1k", "re*=1k", "1k", "all=1k/day"];

test("a tool has the scopes of the budgets that apply to it", () => {
  const tools = new ReplayedTools(specs.map((spec) => parseBudget(spec, actionRules)));
  const scopes = (server: string, tool: string | null, method = "tools/call") => {
    const number = tools.numberOf(callRecord({ server, tool, method })) ?? -1;
    return specs.map((_, at) => tools.scopeOf(number, at));
  };
  const read = scopes("a", "read");
  // A pattern has a counter for each tool, so both count the same one.
  expect(read[0]).toBe(read[1]);
  expect(new Set(read).size).toBe(3);
  const reset = scopes("a", "reset");
  expect([reset[0], reset[2], reset[3]]).toEqual([undefined, read[2], read[3]]);
  const other = scopes("b", "read");
  expect(other[0]).not.toBe(read[0]);
  expect([other[2] === read[2], other[3] === read[3]]).toEqual([false, true]);
  // A prompt of that name is no tool.
  expect(scopes("a", "read", "prompts/get").slice(0, 2)).toEqual([undefined, undefined]);
});

test("a tool that no budget applies to has no number", () => {
  const tools = new ReplayedTools([parseBudget("read=1k", actionRules)]);
  expect(tools.numberOf(callRecord({ tool: "write" }))).toBeUndefined();
  expect(tools.numberOf(callRecord({ tool: "read" }))).toBeDefined();
  expect(tools.scopeOf(99, 0)).toBeUndefined();
});
