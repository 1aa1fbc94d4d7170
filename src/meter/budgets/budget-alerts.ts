import { findNearestName, isWildcard } from "#kit/text/match-names.ts";
import { noTrim, type TrimRules } from "#lock/hidden-tools.ts";
import type { RecordBody } from "#records/record.ts";
import type { Account, Claim } from "./accounts.ts";
import { makeUserMember, recordOverrun, type Spending } from "./breaches.ts";
import { type Budget, budgetSentences, namesServer } from "./budget.ts";
import { toShownAmount } from "./counter.ts";

/** Records a breach that was not prevented. Records an alert when the warning level is first reached. */
export function recordSpending(
  { account, isBreached }: Claim,
  spending: Spending,
  { nowMs, warnAtPercent }: { readonly nowMs: number; readonly warnAtPercent: number },
): RecordBody[] {
  const { budget, stored } = account;
  if (account.hasWarned && isBreached) return [];
  const { amount } = spending;
  const spent = stored ? stored.store.readStanding(stored.counter, nowMs).taken : amount;
  const isOver = !isBreached && amount > 0 && spent > budget.limit;
  const overrun = isOver ? [recordOverrun(account, spending, nowMs)] : [];
  const percent = budget.warnAtPercent ?? warnAtPercent;
  if (account.hasWarned || budget.limit === 0 || spent * 100 < budget.limit * percent)
    return overrun;
  account.hasWarned = true;
  return [...overrun, makeWarning(account, spent)];
}

function makeWarning(account: Account, spent: number): RecordBody {
  const { budget, tool } = account;
  const use = budget.per === "call" ? "used by one call" : "spent";
  return {
    type: "alert",
    alert: "budget_warning",
    tool,
    budget: budget.spec,
    limit: toShownAmount(budget.unit, budget.limit),
    value: toShownAmount(budget.unit, spent),
    detail: `${Math.floor((spent * 100) / budget.limit)}% of ${budget.spec} ${use}`,
    ...makeUserMember(account),
  };
}

type ToolReference = Pick<Budget, "tool" | "spec" | "limit">;

/** Finds tools that are named by a budget, --hide or --only, but are not in the server's list. */
export class UnmatchedNames {
  readonly #references: readonly ToolReference[];
  readonly #reported = new Set<string>();

  constructor(budgets: readonly Budget[], { hide, only }: TrimRules = noTrim) {
    this.#references = [
      ...budgets,
      ...listReferences("--hide", hide),
      ...listReferences("--only", only),
    ];
  }

  find(body: RecordBody, server: string): RecordBody[] {
    if (body.type !== "definitions" || !body.is_complete) return [];
    const { tools, view_tools: appOnlyTools = [], hidden_tools: hiddenTools = [] } = body;
    const names = [...tools, ...appOnlyTools, ...hiddenTools].map(({ name }) => name);
    if (names.length === 0) return [];
    // The record may lack the last tools of a very long list.
    if (body.tools_total > body.tools.length) return [];
    return this.#references.flatMap((reference) => {
      const { tool, spec } = reference;
      // A pattern is often meant for other servers.
      if (tool === null || isWildcard(tool) || this.#reported.has(spec)) return [];
      if (names.includes(tool)) return [];
      this.#reported.add(spec);
      return [makeUnmatchedAlert({ ...reference, tool }, names, server)];
    });
  }
}

function listReferences(option: string, tools: readonly string[]): readonly ToolReference[] {
  return tools.map((tool) => ({ tool, spec: `${option} ${tool}`, limit: 0 }));
}

function makeUnmatchedAlert(
  { tool, spec, limit }: ToolReference & { readonly tool: string },
  names: readonly string[],
  server: string,
): RecordBody {
  const isOption = spec.startsWith("--");
  const isServer = !isOption && namesServer(tool, server);
  return {
    type: "alert",
    alert: "unknown_tool",
    tool,
    budget: spec,
    limit,
    value: names.length,
    detail: isServer
      ? budgetSentences.budgetNamesServer(spec, names.length)
      : budgetSentences.budgetUnmatched(spec, names.length, findNearestName(tool, names)),
  };
}
