import { refusalNameCharactersMax } from "#limits.ts";
import type { Budget, Period, Unit } from "./budget.ts";

/** Why a call is refused. */
export type RefusalReason =
  | "arguments_over_budget"
  | "budget_spent"
  | "answer_over_budget"
  | "repeated_call"
  | "definition_changed";

/** What is known of a number of tokens: long texts are not counted to their end, unread ones not at all. */
export type Sureness = "exactly" | "at least" | "at most";

/** What a refusal has to say. */
export type RefusalFacts = {
  readonly reason: RefusalReason;
  /** Tool, or the method where there is none. */
  readonly name: string;
  readonly budget: Budget;
  readonly spent: number;
  /** Tokens of the call. */
  readonly tokens: number;
  readonly sureness: Sureness;
  /** Milliseconds until the counter is full again; Infinity when it will not be. */
  readonly refillMs: number;
};

/**
 * What the model reads instead of an answer: whether the call ran, what it cost, what the limit is and
 * what to do. One sentence each, under 300 characters.
 */
export function refusalText(facts: RefusalFacts): string {
  const name = shortened(facts.name);
  const { budget, tokens, sureness, spent, refillMs } = facts;
  const limit = amount(budget.limit, budget.unit);
  const cost = `${sureness === "exactly" ? "" : `${sureness} `}${amount(tokens, "tokens")}`;
  switch (facts.reason) {
    case "arguments_over_budget":
      return `mcp-meter: ${name} was not run. Its arguments are ${cost}, the budget allows ${limit} ${perText(budget.per)}. Send shorter arguments.`;
    case "budget_spent":
      return `mcp-meter: ${name} was not run. Of its budget of ${limit} ${perText(budget.per)}, ${areSpent(spent)}. ${refillText(refillMs)}`;
    case "answer_over_budget":
      return `mcp-meter: ${name} did run, but its answer was withheld: the call is ${cost}, the budget allows ${limit} ${perText(budget.per)}${spentText(budget, spent)}. Narrow the query or ask for fewer rows.`;
    case "repeated_call":
      return `mcp-meter: ${name} was not run. It was called ${spent === 1 ? "once" : `${count(spent)} times in a row`} with the same arguments. Use the earlier answer or change the arguments.`;
    case "definition_changed":
      return `mcp-meter: ${name} was not run. Its definition differs from the lock file and changed tools are not allowed. Ask the user to review it and to update the lock.`;
  }
}

function perText(per: Period): string {
  return per === "session" ? "a session" : `per ${per}`;
}

function spentText(budget: Budget, spent: number): string {
  return budget.per === "call" ? "" : ` and ${areSpent(spent)}`;
}

function refillText(refillMs: number): string {
  if (refillMs === Infinity) return "Go on without it, or ask the user to raise the budget.";
  const time = timeText(Math.ceil(refillMs / 1000));
  return `It refills in ${time}: go on without it, or try again then.`;
}

function timeText(seconds: number): string {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? "" : "s"}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

function shortened(name: string): string {
  // Never half a character.
  return name.length <= refusalNameCharactersMax
    ? name
    : `${name.slice(0, refusalNameCharactersMax - 1).toWellFormed()}…`;
}

function areSpent(spent: number): string {
  return `${count(spent)} ${spent === 1 ? "is" : "are"} spent`;
}

/** `1 call`, `2,000 tokens`. */
function amount(number: number, unit: Unit): string {
  return `${count(number)} ${number === 1 ? unit.slice(0, -1) : unit}`;
}

function count(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
