import { Accounts } from "#meter/budgets/accounts.ts";
import { expect, test } from "bun:test";
import { Call } from "#meter/calls/call.ts";
import { gateOf } from "../../support/decisions.ts";
import { callOf } from "../../support/made-calls.ts";

const accounts = (...specs: readonly string[]) => new Accounts(gateOf(specs), "garden");
const asked = (name: string, method = "tools/call") => callOf({ name }, { method });

const specsOf = (of: Accounts, call: Call) =>
  of.list(call).map(({ budget, tool }) => `${budget.spec} for ${tool}`);

test("a call is charged to the budgets of its tool and to those of the server", () => {
  const all = accounts("search=1k", "fetch_*=2k", "3k/session");
  expect(specsOf(all, asked("search"))).toEqual(["search=1k for search", "3k/session for null"]);
  expect(specsOf(all, asked("fetch_page"))).toEqual([
    "fetch_*=2k for fetch_page",
    "3k/session for null",
  ]);
  expect(specsOf(all, asked("search", "prompts/get"))).toEqual(["3k/session for null"]);
});

test("each tool that fits a wildcard has a counter of its own", () => {
  const all = accounts("*=1k/session");
  const [one] = all.list(asked("a"));
  const [other] = all.list(asked("b"));
  expect(one?.stored?.counter.key).not.toBe(other?.stored?.counter.key ?? "");
  expect(all.list(asked("a"))[0]).toBe(one);
});

test("two budgets about one tool have a counter each, the same one said twice has one", () => {
  const keys = accounts("*=1k/session", "a=1k/session", "a=2k/session:warn")
    .list(asked("a"))
    .map(({ stored: kept }) => kept?.counter.key);
  expect(new Set(keys).size).toBe(3);
  expect(accounts("a=1k/session", "a=1000/session").list(asked("a"))).toHaveLength(1);
});

const keyNextTo = (spec: string, ...others: readonly string[]) => {
  const listed = accounts(spec, ...others).list(asked("a"));
  return listed.find(({ budget }) => budget.spec === spec)?.stored?.counter.key ?? "";
};

test("a counter continues when the action of its budget changes, or another budget is added", () => {
  const key = keyNextTo("5k/day:warn");
  expect(key).not.toBe("");
  for (const action of ["error", "truncate", "spill", "throttle"])
    expect(keyNextTo(`5k/day:${action}`)).toBe(key);
  expect(keyNextTo("9k/day")).toBe(key);
  expect(keyNextTo("9k/day", "5k/day:warn")).toBe(key);
  expect(keyNextTo("5k/day:warn", "9k/day")).not.toBe(key);
});

const keyOfUser = (spec: string, name: string) => {
  const user = { name, isRecorded: true };
  const listed = new Accounts({ ...gateOf([spec]), user }, "garden").list(asked("a"));
  return listed[0]?.stored?.counter.key ?? "";
};

test("a counter per user belongs to the user, one of the fleet to all", () => {
  expect(keyOfUser("5k/day/user", "ann")).toBe(keyOfUser("5k/day/user:warn", "ann"));
  expect(keyOfUser("5k/day/user", "ann")).not.toBe(keyOfUser("5k/day/user", "bob"));
  expect(keyOfUser("5k/day/user", "")).not.toBe(keyOfUser("5k/day", ""));
  expect(keyOfUser("5k/day/fleet", "ann")).toBe(keyOfUser("5k/day", "bob"));
});

test("a limit on each call keeps no counter", () => {
  expect(accounts("a=1k").list(asked("a"))[0]?.stored).toBeUndefined();
});

test("a budget over all servers has one counter, whichever server a call is for", () => {
  const all = accounts("all=1k/day", "1k/day");
  const keys = all.list(asked("a")).map(({ stored: kept }) => kept?.counter.key);
  expect(keys).toEqual([
    '[null,null,null,"tokens","day",0]',
    '["garden",null,null,"tokens","day",0]',
  ]);
  expect(all.list(asked("b")).map(({ stored: kept }) => kept?.counter.key)).toEqual(keys);
});
