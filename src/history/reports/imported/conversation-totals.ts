import type { TimeRange } from "../calendar.ts";
import type { ImportedConversation } from "./imported-history.ts";
import type { CostedConversation } from "./logged-cost.ts";

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
