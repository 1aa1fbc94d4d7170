import { expect, test } from "bun:test";
import { actions } from "#actions/index.ts";
import { actionRules } from "#actions/rules.ts";

test("the rules are those of the actions, in their order", () => {
  expect(Object.keys(actionRules)).toEqual(Object.keys(actions));
  for (const [id, rules] of Object.entries(actionRules)) expect(actions[id]).toMatchObject(rules);
});
