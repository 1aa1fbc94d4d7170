import type { LoggedCost, CostedConversation } from "./logged-cost.ts";
import type { TimeRange } from "../calendar.ts";
import type { ImportedConversation } from "./imported-history.ts";

export type LoggedPart = {
  readonly imported: number;
  readonly paired: number;
  readonly carriedTokens: number;
  readonly rereads: number;
  readonly priced: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly nanoDollars: number;
  };
};

export const noLoggedPart: LoggedPart = {
  imported: 0,
  paired: 0,
  carriedTokens: 0,
  rereads: 0,
  priced: { calls: 0, inputTokens: 0, outputTokens: 0, nanoDollars: 0 },
};

type FactTokens = { readonly input_tokens: number; readonly output_tokens: number };

export function loggedPartOf(
  kind: "imported" | "paired",
  { input_tokens: input, output_tokens: output }: FactTokens,
  cost: LoggedCost | undefined,
): LoggedPart {
  const nanoDollars = cost?.nanoDollars ?? null;
  return {
    ...noLoggedPart,
    [kind]: 1,
    carriedTokens: cost?.carriedTokens ?? 0,
    rereads: cost?.rereads ?? 0,
    ...(nanoDollars === null
      ? {}
      : { priced: { calls: 1, inputTokens: input, outputTokens: output, nanoDollars } }),
  };
}

export function addLoggedParts(one: LoggedPart, other: LoggedPart): LoggedPart {
  const [first, second] = [one.priced, other.priced];
  return {
    imported: one.imported + other.imported,
    paired: one.paired + other.paired,
    carriedTokens: one.carriedTokens + other.carriedTokens,
    rereads: one.rereads + other.rereads,
    priced: {
      calls: first.calls + second.calls,
      inputTokens: first.inputTokens + second.inputTokens,
      outputTokens: first.outputTokens + second.outputTokens,
      nanoDollars: first.nanoDollars + second.nanoDollars,
    },
  };
}

export type RentPart = {
  readonly requests: number;
  readonly unknownRequests: number;
  readonly tokens: number;
  /** Billionths of a dollar; null where no request has a price, absent when costs are not wanted. */
  readonly nanoDollars?: number | null;
};

export function addRents(one: RentPart, other: RentPart): RentPart {
  return {
    requests: one.requests + other.requests,
    unknownRequests: one.unknownRequests + other.unknownRequests,
    tokens: one.tokens + other.tokens,
    ...addedDollars(one.nanoDollars, other.nanoDollars),
  };
}

function addedDollars(
  one: number | null | undefined,
  other: number | null | undefined,
): Pick<RentPart, "nanoDollars"> {
  if (one === undefined && other === undefined) return {};
  const amounts = [one, other].filter((amount) => typeof amount === "number");
  const sum = amounts.reduce((total, amount) => total + amount, 0);
  return { nanoDollars: amounts.length === 0 ? null : sum };
}

export type ConversationTotals = {
  readonly conversations: number;
  readonly whole: number;
  readonly calls: number;
  readonly definitions: number;
  readonly other: number;
  readonly unpricedTurns: number;
};

export class ConversationSums {
  readonly #range: TimeRange;
  #conversations = 0;
  #whole = 0;
  #calls = 0;
  #definitions = 0;
  #other = 0;
  #unpricedTurns = 0;

  constructor(range: TimeRange) {
    this.#range = range;
  }

  add(conversation: ImportedConversation, costed: CostedConversation): void {
    const isRented = costed.servers.some(({ turns }) => turns.size > 0);
    if (!isRented && !hasCallIn(conversation, this.#range)) return;
    const { cost } = costed;
    this.#conversations += 1;
    this.#whole += cost.whole;
    this.#other += cost.other;
    for (const { written, first, carried } of cost.calls) this.#calls += written + first + carried;
    for (const rents of cost.rents) {
      for (const rent of rents.values()) this.#definitions += rent.cost;
    }
    this.#unpricedTurns += cost.unpricedTurns;
  }

  get totals(): ConversationTotals | undefined {
    if (this.#conversations === 0) return undefined;
    return {
      conversations: this.#conversations,
      whole: this.#whole,
      calls: this.#calls,
      definitions: this.#definitions,
      other: this.#other,
      unpricedTurns: this.#unpricedTurns,
    };
  }
}

function hasCallIn({ calls }: ImportedConversation, { fromMs, toMs }: TimeRange): boolean {
  return [...calls.values()].some(({ ts }) => {
    const ms = Date.parse(ts);
    return ms >= fromMs && ms < toMs;
  });
}
