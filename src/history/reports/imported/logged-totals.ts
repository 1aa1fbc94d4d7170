import type { LoggedCallCost, CostedConversation } from "./price-conversation.ts";
import { isInRange, type TimeRange } from "../time-range.ts";
import type { ImportedConversation } from "./imported-history.ts";

export type LoggedTotals = {
  readonly importedCalls: number;
  // Imported calls that mcp-meter also metered: their tokens are in the sums of metered calls.
  readonly pairedCalls: number;
  readonly carriedTokens: number;
  readonly rereads: number;
  readonly priced: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly nanoDollars: number;
  };
};

export const noLoggedTotals: LoggedTotals = {
  importedCalls: 0,
  pairedCalls: 0,
  carriedTokens: 0,
  rereads: 0,
  priced: { calls: 0, inputTokens: 0, outputTokens: 0, nanoDollars: 0 },
};

type CallTokens = { readonly input_tokens: number; readonly output_tokens: number };

export function makeLoggedTotals(
  kind: "importedCalls" | "pairedCalls",
  { input_tokens: input, output_tokens: output }: CallTokens,
  cost: LoggedCallCost | undefined,
): LoggedTotals {
  const nanoDollars = cost?.nanoDollars ?? null;
  return {
    ...noLoggedTotals,
    [kind]: 1,
    carriedTokens: cost?.carriedTokens ?? 0,
    rereads: cost?.rereads ?? 0,
    ...(nanoDollars === null
      ? {}
      : { priced: { calls: 1, inputTokens: input, outputTokens: output, nanoDollars } }),
  };
}

export function addLoggedTotals(a: LoggedTotals, b: LoggedTotals): LoggedTotals {
  const [first, second] = [a.priced, b.priced];
  return {
    importedCalls: a.importedCalls + b.importedCalls,
    pairedCalls: a.pairedCalls + b.pairedCalls,
    carriedTokens: a.carriedTokens + b.carriedTokens,
    rereads: a.rereads + b.rereads,
    priced: {
      calls: first.calls + second.calls,
      inputTokens: first.inputTokens + second.inputTokens,
      outputTokens: first.outputTokens + second.outputTokens,
      nanoDollars: first.nanoDollars + second.nanoDollars,
    },
  };
}

// The tokens and cost of definitions, counted again for each request that contains them.
export type RentTotals = {
  readonly requests: number;
  readonly unknownRequests: number; // requests with definitions of unknown size
  readonly tokens: number;
  // Absent if the report has no prices, null if the price is unknown.
  readonly nanoDollars?: number | null;
};

export function addRents(a: RentTotals, b: RentTotals): RentTotals {
  return {
    requests: a.requests + b.requests,
    unknownRequests: a.unknownRequests + b.unknownRequests,
    tokens: a.tokens + b.tokens,
    ...addDollars(a.nanoDollars, b.nanoDollars),
  };
}

function addDollars(
  a: number | null | undefined,
  b: number | null | undefined,
): Pick<RentTotals, "nanoDollars"> {
  if (a === undefined && b === undefined) return {};
  const amounts = [a, b].filter((amount) => typeof amount === "number");
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return { nanoDollars: amounts.length === 0 ? null : sum };
}

// `total`, `calls`, `definitions` and `other` are costs in nano-dollars.
export type ConversationTotals = {
  readonly conversations: number;
  readonly total: number;
  readonly calls: number;
  readonly definitions: number;
  readonly other: number;
  readonly unpricedTurns: number;
};

export class ConversationSums {
  readonly #range: TimeRange;
  readonly #totals = {
    conversations: 0,
    total: 0,
    calls: 0,
    definitions: 0,
    other: 0,
    unpricedTurns: 0,
  };

  constructor(range: TimeRange) {
    this.#range = range;
  }

  add(conversation: ImportedConversation, costed: CostedConversation): void {
    const hasRent = costed.servers.some(({ turnsByPeriod }) => turnsByPeriod.size > 0);
    if (!hasRent && !hasCallInRange(conversation, this.#range)) return;
    const { cost } = costed;
    const totals = this.#totals;
    totals.conversations += 1;
    totals.total += cost.total;
    totals.other += cost.other;
    for (const { written, firstRead, carried } of cost.calls)
      totals.calls += written + firstRead + carried;
    for (const rents of cost.rents) {
      for (const rent of rents.values()) totals.definitions += rent.cost;
    }
    totals.unpricedTurns += cost.unpricedTurns;
  }

  get totals(): ConversationTotals | undefined {
    return this.#totals.conversations === 0 ? undefined : this.#totals;
  }
}

function hasCallInRange({ calls }: ImportedConversation, range: TimeRange): boolean {
  return [...calls.values()].some(({ ts }) => isInRange(range, Date.parse(ts)));
}
