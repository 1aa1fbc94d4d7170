import type { PlannedCall } from "#check/plan-calls.ts";

export function plannedCall(changes: Partial<PlannedCall> = {}): PlannedCall {
  return {
    name: "t #1",
    line: 1,
    tool: "t",
    arguments: {},
    filledArguments: {},
    isError: false,
    expectations: [],
    budgetTokens: undefined,
    repeat: 1,
    timeoutMs: undefined,
    skip: undefined,
    ...changes,
  };
}
