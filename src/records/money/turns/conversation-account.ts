import { CallSums } from "./call-sums.ts";
import { shrinkTo } from "./context.ts";
import type { ConversationCost, HeldDefinitions } from "./cost-parts.ts";
import { FollowedParts, type NewPart } from "./followed-parts.ts";
import { HeldRents } from "./held-rents.ts";
import type { ModelTurn, TurnCall, TurnUsage } from "./turn.ts";
import { promptTokens, turnPrices, type TurnPrices } from "./turn-prices.ts";

type Last = { readonly usage: TurnUsage; readonly index: number };

export class ConversationAccount {
  readonly #calls: readonly TurnCall[];
  readonly #sums: CallSums;
  readonly #parts: FollowedParts;
  readonly #rents: HeldRents;
  readonly #asked: ReadonlyMap<number, readonly number[]>;
  readonly #read: ReadonlyMap<number, readonly number[]>;
  #last: Last | undefined;
  #index = 0;
  #whole = 0;
  #unpriced = 0;

  constructor(calls: readonly TurnCall[], definitions: readonly HeldDefinitions[]) {
    this.#calls = calls;
    this.#sums = new CallSums(calls.length);
    this.#parts = new FollowedParts(this.#sums);
    this.#rents = new HeldRents(definitions);
    this.#asked = callsByTurn(calls, ({ asked }) => asked);
    this.#read = callsByTurn(calls, ({ readBy }) => readBy);
  }

  take(turn: ModelTurn, isAside: boolean): void {
    const prices = turnPrices(turn);
    if (!isAside) this.#takePrompt(turn, prices);
    this.#write(turn, prices);
    this.#whole += prices.whole;
    if (!turn.prices) this.#unpriced += 1;
    this.#index += 1;
  }

  #takePrompt({ usage, startsOver, period = 0 }: ModelTurn, prices: TurnPrices): void {
    const prompt = { size: promptTokens(usage), cached: usage.cacheRead, prices };
    if (!this.#last || startsOver) this.#begin(prompt.size);
    else this.#enter(prompt.size, this.#last);
    this.#rents.charge(prompt, period);
    this.#parts.charge(prompt);
    this.#last = { usage, index: this.#index };
  }

  close(): ConversationCost {
    this.#parts.close();
    const calls = this.#sums.costs();
    const ofCalls = calls.reduce(
      (sum, { written, first, carried }) => sum + written + first + carried,
      0,
    );
    return {
      calls,
      rents: this.#rents.rents,
      other: this.#whole - ofCalls - this.#rents.cost,
      whole: this.#whole,
      unpricedTurns: this.#unpriced,
    };
  }

  /** Definitions first, then the answers that this turn is the first to have. */
  #begin(size: number): void {
    this.#parts.clear();
    const taken = this.#rents.begin(this.#index, size);
    this.#add([], size - taken, size);
  }

  /** The model's text of the last turn comes before the answers. */
  #enter(size: number, last: Last): void {
    const { output, reasoning } = last.usage;
    const grown = Math.max(0, size - promptTokens(last.usage));
    const asked = this.#asked.get(last.index) ?? [];
    const texts = shrinkTo(Math.min(grown, output), this.#tokens(asked, "argumentTokens"));
    const written = texts.reduce((sum, tokens) => sum + tokens, 0);
    // Some models drop their reasoning from the next prompt, so its room may be filled by answers.
    const room = Math.min(grown - written, Math.max(0, grown - output + reasoning));
    const parts = asked.map((call, index) => ({
      call,
      tokens: texts[index] ?? 0,
      isAnswer: false,
    }));
    this.#add(parts, room, size);
  }

  #add(texts: readonly NewPart[], room: number, size: number): void {
    const read = this.#read.get(this.#index) ?? [];
    const { places, tokens } = this.#rents.arrivals(this.#index);
    const entered = shrinkTo(room, [...tokens, ...this.#tokens(read, "answerTokens")]);
    const held = entered.slice(0, places.length);
    const parts = [
      ...texts,
      ...read.map((call, index) => ({
        call,
        tokens: entered[places.length + index] ?? 0,
        isAnswer: true,
      })),
    ];
    const start = size - parts.reduce((sum, part) => sum + part.tokens, 0);
    const heldTokens = held.reduce((sum, one) => sum + one, 0);
    this.#rents.place(start - heldTokens, places, held);
    this.#parts.add(start, parts);
  }

  #tokens(calls: readonly number[], key: "argumentTokens" | "answerTokens"): readonly number[] {
    return calls.map((index) => this.#calls[index]?.[key] ?? 0);
  }

  #write({ usage }: ModelTurn, { written }: TurnPrices): void {
    const asked = this.#asked.get(this.#index) ?? [];
    const texts = shrinkTo(usage.output, this.#tokens(asked, "argumentTokens"));
    for (const [index, call] of asked.entries()) {
      const cost = Math.floor((texts[index] ?? 0) * written);
      this.#sums.addWritten(call, cost);
    }
  }
}

function callsByTurn(
  calls: readonly TurnCall[],
  turnOf: (call: TurnCall) => number | null,
): ReadonlyMap<number, readonly number[]> {
  const byTurn = new Map<number, number[]>();
  for (const [index, call] of calls.entries()) {
    const turn = turnOf(call);
    if (turn === null) continue;
    const list = byTurn.get(turn);
    if (list) list.push(index);
    else byTurn.set(turn, [index]);
  }
  return byTurn;
}
