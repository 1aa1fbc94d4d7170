import { refusalNameCharactersMax } from "#kit/limits.ts";
import { formatCount, formatSeconds } from "#kit/text/numbers.ts";
import { safeName } from "#kit/text/unsafe-text.ts";
import type { Budget, Unit } from "./budget.ts";

export type RefusalReason =
  | "arguments_over_budget"
  | "budget_spent"
  | "counters_unreachable"
  | "tool_forbidden"
  | "answer_over_budget"
  | "repeated_call"
  | "definition_changed"
  | "tool_not_locked"
  | "definition_not_seen"
  | "config_mistaken";

/** Long texts are not counted to the end, unread ones not at all. */
export type Sureness = "exactly" | "at least" | "at most";

export type RefusalFacts = {
  readonly reason: RefusalReason;
  readonly name: string;
  readonly budget: Budget;
  readonly spent: number;
  readonly held: number;
  readonly tokens: number;
  readonly sureness: Sureness;
  /** Milliseconds until the counter is back at zero; Infinity if never. */
  readonly refillMs: number;
  /** True when tokens are an upper bound because this client's reading is unknown. */
  readonly isUnknownClient?: boolean;
};

/**
 * The text that the model reads instead of an answer: whether the call ran, its cost, the limit and what
 * to do next. Under 300 characters, safe with any name.
 */
export function refusalText(facts: RefusalFacts): string {
  const name = `mcp-meter: ${safeName(facts.name, refusalNameCharactersMax)}`;
  const { budget, spent } = facts;
  const limit = `${amount(budget.limit, budget.unit)} per ${budget.per}`;
  switch (facts.reason) {
    case "arguments_over_budget":
      return `${name} was not run. Its arguments are ${cost(facts)}; the budget allows ${limit}. Send shorter arguments.`;
    case "budget_spent":
      return `${name} was not run. ${nameBudget(budget, limit)} ${describeUse(facts)}`;
    case "counters_unreachable":
      return `${name} was not run. ${nameBudget(budget, limit)} cannot be checked: its counter cannot be reached. Try again later, or ask the user.`;
    case "answer_over_budget":
      return `${name} ran, but its answer was withheld: the call is ${cost(facts)}; the budget allows ${limit}${earlier(budget, spent)}. ${advice(facts)}`;
    case "tool_forbidden":
      return `${name} was not run. It is forbidden by a configured limit. Continue without it.`;
    case "repeated_call":
      return `${name} was not run. It was called ${spent === 1 ? "once" : `${formatCount(spent)} times in a row`} with the same arguments. Use the earlier answer or change the arguments.`;
    case "definition_changed":
      return `${name} was not run. Its definition differs from the lock file, and changed tools are not allowed. Ask the user to review the change and to update the lock.`;
    case "tool_not_locked":
      return `${name} was not run. It is not in the lock file, and only locked tools are allowed. Ask the user to review the tool and to update the lock.`;
    case "config_mistaken":
      return `${name} was not run. The configuration of its limits has a mistake, and no call is allowed until it is fixed. Ask the user to run "mcp-meter config".`;
    case "definition_not_seen":
      return `${name} was not run. Its definition in this session could not be compared with the lock file. Continue without it, or ask the user to check the server's list of tools.`;
  }
}

function cost({ tokens, sureness }: RefusalFacts): string {
  return `${sureness === "exactly" ? "" : `${sureness} `}${amount(tokens, "tokens")}`;
}

/** The budget may be the user's or a team's. */
function nameBudget({ tool, isOverall }: Budget, limit: string): string {
  if (isOverall) return `The budget of ${limit} for all servers`;
  return `${tool === null ? "The server's" : "Its"} budget of ${limit}`;
}

function describeUse({ budget: { limit }, spent: taken, held, refillMs }: RefusalFacts): string {
  const spent = taken - held;
  if (held > 0 && spent < limit) {
    return `has no room for it now: ${formatCount(spent)} spent, ${formatCount(held)} reserved for open calls. Try again when these are answered.`;
  }
  const use =
    spent >= limit
      ? "is used up"
      : `has no room for it: ${formatCount(spent)} ${spent === 1 ? "is" : "are"} spent`;
  return `${use}. ${refill(refillMs)}`;
}

function advice({ isUnknownClient = false }: RefusalFacts): string {
  return isUnknownClient
    ? "Unknown client: ask for less, or set --client NAME."
    : "Narrow the query or ask for fewer rows.";
}

function earlier({ per }: Budget, spent: number): string {
  return per === "call"
    ? ""
    : `, of which ${formatCount(spent)} ${spent === 1 ? "is" : "are"} spent`;
}

function refill(refillMs: number): string {
  if (refillMs === Infinity) return "Continue without it, or ask the user to raise the budget.";
  const time = formatSeconds(Math.ceil(refillMs / 1000));
  return `It refills in ${time}; continue without it, or try again then.`;
}

function amount(number: number, unit: Unit): string {
  return `${formatCount(number)} ${number === 1 ? unit.slice(0, -1) : unit}`;
}
