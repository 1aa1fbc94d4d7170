import type { Decision, RefusalFacts } from "../budgets/decision.ts";
import type { Budget, Unit } from "../budgets/budget.ts";
import { actionRules } from "./action-rules.ts";
import { toShownAmount } from "../budgets/counter.ts";
import { formatCount, formatDollarRange } from "#kit/text/numbers.ts";
import { formatTimeLeft } from "#kit/text/durations.ts";
import {
  type Arrival,
  type Position,
  readRawId,
  plainCarrier,
  type Carrier,
  type Call,
} from "../calls/call.ts";
import { channelMethod } from "#tokens/cost/describe-calls.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import type { Line } from "#wire/line.ts";
import {
  type Id,
  type OpaqueMessage,
  makeErrorLine,
  makeRefusalError,
  makeRefusalResult,
} from "#wire/message.ts";
import { parseMessage } from "#wire/parse-message.ts";
import type { ErrorForm } from "../session/event.ts";

// Keeps a whole refusal under 300 characters.
export const refusalNameCharactersMax = 60;

const invalidParams = -32_602;

type RefusalStyle = { readonly form: ErrorForm; readonly isModern: boolean };

export type OurAnswer = { readonly result: unknown } | { readonly error: unknown };

export function makeRefusal(call: Call, facts: RefusalFacts, style: RefusalStyle): OurAnswer {
  const text = describeRefusal(facts);
  // The same error as from a server that does not know the tool.
  if (facts.reason === "tool_hidden") return { error: { code: invalidParams, message: text } };
  if (call.method === "tools/call" && style.form === "tool") {
    return { result: makeRefusalResult(text, style.isModern) };
  }
  const { reason, budget, spent: amount, tokens } = facts;
  const { unit, per } = budget;
  const limit = toShownAmount(unit, budget.limit);
  const spent = toShownAmount(unit, amount);
  const { tool: rawTool } = call.request;
  const tool = rawTool === null ? null : makeSafeName(rawTool, nameCharactersMax);
  const data = { source: "mcp-meter" as const, reason, tool, limit, spent, tokens, per };
  return { error: makeRefusalError(text, data) };
}

/** A pushed text is withheld without a replacement: no request waits for an answer. */
export function replaceAnswer(
  call: Call,
  decision: Decision,
  style: RefusalStyle,
): OurAnswer | undefined {
  if (call.method === channelMethod) return undefined;
  if (decision.kind === "replace") return { result: decision.result };
  return decision.kind === "refuse" ? makeRefusal(call, decision.facts, style) : undefined;
}

// Undefined unless the server returned a number id as a string.
function restoreNumberId({ value, raw }: Id, arrival: Arrival): string | undefined {
  const text = readRawId(arrival);
  const isSameNumber = text.startsWith('"') && Number(text.slice(1, -1)) === value;
  return isSameNumber ? (raw ?? String(value)) : undefined;
}

export type AnswerTarget = { readonly arrival: Arrival; readonly carrier: Carrier };

// If the server returned a number id as a string, restores the number. With the string, a client could reject our
// answer, and then accept a second answer from the server. That second answer would not be charged.
export function makeAnswerLine(
  answer: OurAnswer,
  { arrival, carrier }: AnswerTarget,
  requestId?: Id,
): Uint8Array {
  const mayRewrite = requestId && carrier === plainCarrier && typeof requestId.value === "number";
  const rawId = (mayRewrite && restoreNumberId(requestId, arrival)) || readRawId(arrival);
  return "result" in answer
    ? carrier.result(rawId, answer.result)
    : carrier.error(rawId, answer.error);
}

const unclearTexts = {
  ambiguous:
    "Programs may read it in different ways: a JSON key is repeated or spelled unusually, or the called tool's name is missing or not plain text.",
  invalid: "It is not exactly one valid JSON-RPC message.",
} as const;

/** Undefined if every program reads the line as the same valid message. */
export function makeUnclearRequestError(line: Line): Uint8Array | undefined {
  const message = parseMessage(line, { guarded: "client" });
  if (message.kind !== "opaque") return undefined;
  return makeUnclearError(message, { line, item: undefined });
}

/** Undefined if the client expects no answer. Over HTTP, it always expects one. */
export function makeUnclearLineError(
  message: OpaqueMessage,
  arrival: Arrival,
): Uint8Array | undefined {
  if (arrival.from === "server" || (!message.expectsAnswer && !arrival.exchange)) return undefined;
  return makeUnclearError(message, arrival);
}

function makeUnclearError(
  { reason, expectsAnswer }: OpaqueMessage,
  position: Position,
): Uint8Array {
  const why = unclearTexts[reason === "ambiguous" ? "ambiguous" : "invalid"];
  const text = `mcp-meter: this was not sent to the server, because limits are enforced. ${why}`;
  const noBudget = { tool: null, limit: 0, spent: 0, tokens: 0, per: "session" } as const;
  const data = { source: "mcp-meter", reason: "unclear_message", ...noBudget } as const;
  return makeErrorLine(expectsAnswer ? readRawId(position) : "null", makeRefusalError(text, data));
}

/** In under 300 characters: whether the call ran, and what to do. */
export function describeRefusal(facts: RefusalFacts): string {
  const name = `mcp-meter: ${makeSafeName(facts.name, refusalNameCharactersMax)}`;
  const { budget, spent } = facts;
  const limit = describeLimit(budget);
  switch (facts.reason) {
    case "arguments_over_budget":
      return `${name} was not run. ${describeArgumentCost(facts)}; the budget allows ${limit}. ${adviseArguments(budget)}`;
    case "budget_spent":
      return `${name} was not run. ${nameBudget(budget, limit)} ${describeUse(facts)}`;
    case "counters_unreachable":
      return `${name} was not run. ${nameBudget(budget, limit)} cannot be checked: its counter cannot be reached. Try again later, or ask the user.`;
    case "answer_over_budget":
      return `${name} ran, but its answer was withheld: the call is ${describeCost(facts)}; the budget allows ${limit}${describeSpent(budget, spent)}. ${chooseAdvice(facts)}`;
    case "tool_forbidden":
      return `${name} was not run. It is forbidden by a configured limit. Continue without it.`;
    case "tool_hidden":
      return `Unknown tool: ${makeSafeName(facts.name, refusalNameCharactersMax)}`;
    case "repeated_call":
      return `${name} was not run. It was called ${describeTimes(spent)} with the same arguments. Use the earlier answer or change the arguments.`;
    case "definition_changed":
      return `${name} was not run. Its definition differs from the lock file, and changed tools are not allowed. Ask the user to review the change and to update the lock.`;
    case "tool_not_locked":
      return `${name} was not run. It is not in the lock file, and only locked tools are allowed. Ask the user to review the tool and to update the lock.`;
    case "config_invalid":
      return `${name} was not run. The configuration of its limits has a mistake, and no call is allowed until it is fixed. Ask the user to run "mcp-meter config".`;
    case "definition_not_seen":
      return `${name} was not run. Its definition in this session could not be compared with the lock file. Continue without it, or ask the user to check the server's list of tools.`;
  }
}

const reducingActions = new Set(
  Object.entries(actionRules).flatMap(([id, { reduces }]) => (reduces ? [id] : [])),
);

function describeTimes(times: number): string {
  return times === 1 ? "once" : `${formatCount(times)} times in a row`;
}

function adviseArguments({ unit }: Budget): string {
  return unit === "dollars" ? "Continue without it." : "Send shorter arguments.";
}

function describeArgumentCost(facts: RefusalFacts): string {
  const { budget, amount = 0 } = facts;
  return budget.unit === "dollars"
    ? `It costs at least ${formatAmount(amount, budget.unit)}`
    : `Its arguments are ${describeCost(facts)}`;
}

function describeCost({ budget: { unit }, amount = 0, tokens, precision }: RefusalFacts): string {
  const shown = unit === "dollars" ? formatAmount(amount, unit) : formatAmount(tokens, "tokens");
  return `${precision === "exactly" ? "" : `${precision} `}${shown}`;
}

function describeLimit({ limit, unit, per, owner }: Budget): string {
  const amount = unit === "dollars" ? `$${toShownAmount(unit, limit)}` : formatAmount(limit, unit);
  return `${amount} per ${per}${owner === "user" ? " and user" : ""}`;
}

// Does not say who set the budget: the user or a team may have set it.
function nameBudget({ tool, isOverall }: Budget, limit: string): string {
  if (isOverall) return `The budget of ${limit} for all servers`;
  return `${tool === null ? "The server's" : "Its"} budget of ${limit}`;
}

function describeUse(facts: RefusalFacts): string {
  const { budget, spent: taken, held, refillMs, usualTokens } = facts;
  const { limit, unit } = budget;
  const spent = taken - held;
  const format = (amount: number): string => formatBareAmount(amount, unit);
  const isUsual = usualTokens !== undefined && unit !== "dollars";
  const usual = isUsual ? `; its calls usually take ${formatCount(usualTokens)}` : "";
  if (held > 0 && spent < limit) {
    return `has no room for it now: ${format(spent)} spent, ${format(held)} reserved for open calls${usual}. Try again when open calls are answered.`;
  }
  const use =
    spent >= limit
      ? "is used up"
      : `has no room for it: ${describeSpentAmount(spent, unit)}${usual}`;
  return `${use}. ${describeRefill(refillMs)}`;
}

function chooseAdvice({ isUnknownClient = false, refillMs, budget }: RefusalFacts): string {
  if (isUnknownClient) return "Ask for less, or ask the user to set --as-client NAME.";
  if (refillMs !== Infinity)
    return `Narrow the query, or try again in ${formatTimeLeft(refillMs)}.`;
  return reducingActions.has(budget.action)
    ? "Even a shortened answer does not fit: ask for fewer rows."
    : "Narrow the query or ask for fewer rows.";
}

function describeSpent({ per, unit }: Budget, spent: number): string {
  return per === "call" ? "" : `, of which ${describeSpentAmount(spent, unit)}`;
}

function describeSpentAmount(spent: number, unit: Unit): string {
  const isSingular = spent === 1 || unit === "dollars";
  return `${formatBareAmount(spent, unit)} ${isSingular ? "is" : "are"} spent`;
}

function describeRefill(refillMs: number): string {
  if (refillMs === Infinity)
    return "Continue without this call, or ask the user to raise the budget.";
  return `The budget refills in ${formatTimeLeft(refillMs)}; continue without this call, or try again then.`;
}

function formatBareAmount(amount: number, unit: Unit): string {
  if (unit !== "dollars") return formatCount(amount);
  const dollars = toShownAmount(unit, amount);
  return formatDollarRange({ low: dollars, high: dollars });
}

function formatAmount(amount: number, unit: Unit): string {
  if (unit === "dollars") return formatBareAmount(amount, unit);
  return `${formatCount(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
}
