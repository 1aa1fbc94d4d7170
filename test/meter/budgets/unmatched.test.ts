import { expect, test } from "bun:test";
import { actions } from "#meter/actions/index.ts";
import { parseBudget } from "#meter/budgets/budget.ts";
import { UnmatchedNames } from "#meter/budgets/budget-alerts.ts";
import { definitionsRecord, toolDefinition } from "../../support/made-records.ts";

const list = (...names: readonly string[]) =>
  definitionsRecord({ tools: names.map((name) => toolDefinition(name, 10)) });
const watch = (...specs: readonly string[]): UnmatchedNames =>
  new UnmatchedNames(specs.map((spec) => parseBudget(spec, actions)));

test("a budget for a tool that is not there is told once, with the nearest name", () => {
  const unmatched = watch("serach=10", "fetch=10", "100/session");
  expect(unmatched.find(list("search", "fetch"), "garden")).toMatchObject([
    {
      alert: "unknown_tool",
      tool: "serach",
      detail: 'Budget "serach=10" matches none of the server\'s 2 tools; did you mean "search"?',
    },
  ]);
  expect(unmatched.find(list("search", "fetch"), "garden")).toEqual([]);
});

test("a pattern may be meant for other servers: it tells nothing", () => {
  expect(watch("se*=10", "write_*=10", "delete_*=0").find(list("search"), "garden")).toEqual([]);
});

test("what is far from all names has no nearest", () => {
  const [alert] = watch("write=10").find(list("search"), "garden");
  expect(alert).toMatchObject({
    detail: 'Budget "write=10" does not match the server\'s only tool',
  });
});

test("a list that is not whole, or empty, tells nothing", () => {
  expect(watch("x=10").find({ ...list("search"), is_complete: false }, "garden")).toEqual([]);
  expect(watch("x=10").find(list(), "garden")).toEqual([]);
});

test("a list that is longer than what is priced tells nothing", () => {
  expect(watch("x=10").find({ ...list("search"), tools_total: 2 }, "garden")).toEqual([]);
});

test("a budget that names the server is told how to limit it", () => {
  const [alert] = watch("Garden=10k/day").find(list("search", "fetch"), "garden");
  expect(alert).toMatchObject({
    detail:
      'Budget "Garden=10k/day" matches none of the server\'s 2 tools; to limit every tool of this server, write "10k/day"',
  });
});
