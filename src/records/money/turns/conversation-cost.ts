import {
  type ConversationCost,
  type HeldDefinitions,
  type Rent,
  CallSums,
  type ModelTurn,
  type TurnCall,
  type TurnUsage,
  promptTokens,
  turnPrices,
  type TurnPrices,
} from "./turn.ts";
import {
  shrinkTo,
  chargePart,
  type ContextPart,
  type Prompt,
  stackFrom,
  FollowedParts,
  type NewPart,
} from "./followed-parts.ts";

export function conversationCost(
  turns: readonly ModelTurn[],
  calls: readonly TurnCall[],
  definitions: readonly HeldDefinitions[] = [],
): ConversationCost {
  const account = new ConversationAccount(calls, definitions);
  const aside = asideTurns(turns);
  for (const [index, turn] of turns.entries()) account.take(turn, aside.has(index));
  return account.close();
}

/** Such as for a title: the prompt falls and is as large as before in the next turn. They hold nothing of the conversation. */
function asideTurns(turns: readonly ModelTurn[]): ReadonlySet<number> {
  const aside = new Set<number>();
  let last = 0;
  for (const [index, { usage, startsOver }] of turns.entries()) {
    const size = promptTokens(usage);
    const next = turns[index + 1];
    const returns = next && !next.startsOver && promptTokens(next.usage) >= last;
    if (!startsOver && size < last && returns === true) aside.add(index);
    else last = size;
  }
  return aside;
}

type HeldPart = { readonly part: ContextPart; readonly place: number };

export class HeldRents {
  readonly #definitions: readonly HeldDefinitions[];
  readonly #rents: readonly Map<number, Rent>[];
  readonly #arrived = new Set<number>();
  #parts: HeldPart[] = [];

  constructor(definitions: readonly HeldDefinitions[]) {
    this.#definitions = definitions;
    this.#rents = definitions.map(() => new Map());
  }

  get rents(): readonly ReadonlyMap<number, Readonly<Rent>>[] {
    return this.#rents;
  }

  begin(turn: number, size: number): number {
    this.#arrived.clear();
    this.#parts = [];
    const places = this.#arriving(turn);
    const tokens = shrinkTo(size, this.#tokensOf(places));
    this.place(0, places, tokens);
    return tokens.reduce((sum, one) => sum + one, 0);
  }

  arrivals(turn: number): {
    readonly places: readonly number[];
    readonly tokens: readonly number[];
  } {
    const places = this.#arriving(turn);
    return { places, tokens: this.#tokensOf(places) };
  }

  place(start: number, places: readonly number[], tokens: readonly number[]): void {
    for (const [index, part] of stackFrom(start, tokens).entries()) {
      const place = places[index];
      if (place !== undefined) this.#parts.push({ part, place });
    }
  }

  charge(prompt: Prompt, period: number): void {
    for (const { part, place } of this.#parts) {
      const cost = chargePart(part, prompt);
      const rents = this.#rents[place];
      if (!rents || part.end === part.start) continue;
      const rent = rents.get(period) ?? { cost: 0, tokens: 0 };
      rents.set(period, rent);
      rent.cost += cost;
      rent.tokens += part.end - part.start;
    }
  }

  get cost(): number {
    const amounts = this.#rents.flatMap((periods) => [...periods.values()]);
    return amounts.reduce((sum, { cost }) => sum + cost, 0);
  }

  #arriving(turn: number): readonly number[] {
    const places: number[] = [];
    if (this.#arrived.size === this.#definitions.length) return places;
    for (const [place, { from, until = Infinity }] of this.#definitions.entries()) {
      if (from > turn || until <= turn || this.#arrived.has(place)) continue;
      this.#arrived.add(place);
      places.push(place);
    }
    return places;
  }

  #tokensOf(places: readonly number[]): readonly number[] {
    return places.map((place) => this.#definitions[place]?.tokens ?? 0);
  }
}

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
