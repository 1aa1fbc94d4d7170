import { expect, test } from "bun:test";
import { sentences } from "#errors.ts";
import { configFaults, policySentences } from "#policy-sentences.ts";

test("at most eight options are named", () => {
  const file = "/etc/mcp-meter/config.json";
  const names = Array.from({ length: 10 }, (_, at) => `o${at}`);
  expect(policySentences.policyHolds(names, file)).toBe(
    'Ignoring your o0, o1, o2, o3, o4, o5, o6, o7 and 2 more: the system config "/etc/mcp-meter/config.json" locks them',
  );
  expect(policySentences.policyHolds(["log"], file)).toEndWith("locks it");
});

test("a name that is not an option has the nearest one", () => {
  expect(configFaults.unknownLock("budgts", "budgets")).toBe(
    'locked has "budgts", which is not an option (did you mean budgets?)',
  );
});

test("they are among the sentences of all", () => {
  expect(sentences).toMatchObject(policySentences);
});
