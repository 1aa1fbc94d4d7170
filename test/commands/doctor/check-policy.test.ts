import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { actionRules } from "#actions/rules.ts";
import { parseBudget } from "#budgets/budget-spec.ts";
import { checkPolicy, choiceFindings } from "#commands/doctor/check-policy.ts";
import { patient } from "./patient.ts";

// With a policy: test/e2e/policy.test.ts, since nothing moves the folder of the system.
test.if(!existsSync("/etc/mcp-meter/config.json"))("a machine without a policy", async () => {
  for (const platform of ["linux", "darwin", "win32"]) {
    expect(await checkPolicy(patient({}, { platform }))).toEqual([
      {
        check: "policy",
        status: "ok",
        detail: "the system config locks nothing",
        fix: null,
      },
    ]);
  }
});

const file = "/etc/c";
const policy = (...locked: readonly string[]) => ({ file, locked: new Set(locked) });

test("a policy that leaves choices to users is a warning, one that leaves none is not", () => {
  const budgets = [parseBudget("all=9calls/day", actionRules)];
  expect(choiceFindings({ file, policy: policy("budgets") }, budgets)).toEqual([
    {
      check: "policy",
      status: "warning",
      detail: "locked budgets depend on counters, fleet, which users can still choose",
      fix: "sudoedit /etc/c",
    },
  ]);
  expect(choiceFindings({ file, policy: policy("budgets", "counters", "fleet") }, budgets)).toEqual(
    [],
  );
  expect(choiceFindings({ file, policy: policy("log") })).toEqual([]);
});
