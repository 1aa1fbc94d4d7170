import { type ClientCall, viewOfClient } from "../client-model.ts";
import { type BudgetPart, budgetSpec } from "../option-sets.ts";
import type { Transcript } from "../transcript.ts";

/** Actions that keep what is delivered within the limit. */
const holding = new Set(["error", "truncate", "spill"]);

/**
 * Delivered under a counter is never more than its limit, counted apart from mcp-meter. Sessions of one play
 * share their counters per day.
 */
export function ceiling(transcripts: readonly Transcript[]): readonly string[] {
  const [first] = transcripts;
  if (!first) return [];
  const sessions = transcripts.map((transcript) => viewOfClient(transcript).calls);
  const isOneDay = transcripts.every((one) => one.endedDay === first.startedDay);
  return first.set.budgets
    .filter(({ action }) => holding.has(action))
    .flatMap((budget) => {
      if (budget.per === "day") return isOneDay ? exceeded(budget, sessions.flat()) : [];
      return sessions.flatMap((calls) => exceeded(budget, calls));
    });
}

function exceeded(budget: BudgetPart, calls: readonly ClientCall[]): readonly string[] {
  const counters = new Map<string, number>();
  for (const [index, call] of calls.entries()) {
    const { tool, outputTokens } = call;
    if (outputTokens === undefined || !applies(budget, tool)) continue;
    const key = `${budget.per === "call" ? `call ${index + 1} ` : ""}${budget.tool === null ? "all" : tool}`;
    const amount = budget.unit === "calls" ? Number(call.didRun) : call.inputTokens + outputTokens;
    counters.set(key, (counters.get(key) ?? 0) + amount);
  }
  return [...counters]
    .filter(([, amount]) => amount > budget.limit)
    .map(([key, amount]) => `${budgetSpec(budget)} delivered ${amount} ${budget.unit} (${key})`);
}

function applies(budget: BudgetPart, tool: string | null): boolean {
  if (budget.tool === null) return true;
  if (tool === null) return false;
  return budget.tool.endsWith("*")
    ? tool.startsWith(budget.tool.slice(0, -1))
    : tool === budget.tool;
}
