import type { PlannedCall } from "#check/planned-call.ts";

/** A call of the tool `t` without arguments or expectations, but for what a test changes. */
export function plannedCall(changes: Partial<PlannedCall> = {}): PlannedCall {
  return {
    name: "t #1",
    line: 1,
    tool: "t",
    arguments: {},
    sent: {},
    isError: false,
    expectations: [],
    budgetTokens: undefined,
    repeat: 1,
    timeoutMs: undefined,
    skip: undefined,
    ...changes,
  };
}
