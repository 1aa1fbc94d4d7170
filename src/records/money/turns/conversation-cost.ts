import {
  type ConversationCost,
  type HeldDefinitions,
  type Rent,
  CallSums,
  type ModelTurn,
  type TurnCall,
  type TurnUsage,
  sumPromptTokens,
  computeTurnPrices,
  type TurnPrices,
} from "./turn.ts";
import {
  shrinkTo,
  chargeSpan,
  type ContextSpan,
  type Prompt,
  stackSpans,
  PromptParts,
  type NewPart,
} from "./prompt-parts.ts";

export function computeConversationCost(
  turns: readonly ModelTurn[],
  calls: readonly TurnCall[],
  definitions: readonly HeldDefinitions[] = [],
): ConversationCost {
  const sideTurns = findSideTurns(turns);
  const account = new ConversationAccount(moveReaders(calls, sideTurns), definitions);
  for (const [index, turn] of turns.entries()) account.addTurn(turn, sideTurns.has(index));
  return account.close();
}

// The prompt of a side turn does not contain earlier answers, so the next turn reads them. The next turn is never a
// side turn itself.
function moveReaders(
  calls: readonly TurnCall[],
  sideTurns: ReadonlySet<number>,
): readonly TurnCall[] {
  if (sideTurns.size === 0) return calls;
  return calls.map((call) =>
    call.readBy !== null && sideTurns.has(call.readBy)
      ? { ...call, readBy: call.readBy + 1 }
      : call,
  );
}

// A side turn, such as a request for a title, does not contain the conversation. Its prompt is smaller than the
// prompts before and after it.
export function findSideTurns(
  turns: readonly Pick<ModelTurn, "usage" | "startsOver">[],
): ReadonlySet<number> {
  const sideTurns = new Set<number>();
  let mainTokens = 0;
  for (const [index, { usage, startsOver }] of turns.entries()) {
    const tokens = sumPromptTokens(usage);
    const next = turns[index + 1];
    const isResumed = next && !next.startsOver && sumPromptTokens(next.usage) >= mainTokens;
    if (!startsOver && tokens < mainTokens && isResumed === true) sideTurns.add(index);
    else mainTokens = tokens;
  }
  return sideTurns;
}

type DefinitionSpan = { readonly span: ContextSpan; readonly definition: number }; // `definition` is an index

// The indexes of the definitions that enter the context, and the tokens of each.
type Arrivals = { readonly definitions: readonly number[]; readonly tokens: readonly number[] };

export class DefinitionRents {
  readonly #definitions: readonly HeldDefinitions[];
  readonly #rents: readonly Map<number, Rent>[];
  readonly #arrived = new Set<number>();
  #spans: DefinitionSpan[] = [];

  constructor(definitions: readonly HeldDefinitions[]) {
    this.#definitions = definitions;
    this.#rents = definitions.map(() => new Map());
  }

  get rents(): readonly ReadonlyMap<number, Readonly<Rent>>[] {
    return this.#rents;
  }

  // Returns the tokens that definitions take in the new context.
  startOver(turn: number, promptTokens: number): number {
    this.#arrived.clear();
    this.#spans = [];
    const arrivals = this.takeArrivals(turn);
    const tokens = shrinkTo(promptTokens, arrivals.tokens);
    this.addSpans(0, arrivals.definitions, tokens);
    return tokens.reduce((sum, count) => sum + count, 0);
  }

  takeArrivals(turn: number): Arrivals {
    const definitions: number[] = [];
    const tokens: number[] = [];
    if (this.#arrived.size === this.#definitions.length) return { definitions, tokens };
    for (const [index, held] of this.#definitions.entries()) {
      const { fromTurn, untilTurn = Infinity } = held;
      if (fromTurn > turn || untilTurn <= turn || this.#arrived.has(index)) continue;
      this.#arrived.add(index);
      definitions.push(index);
      tokens.push(held.tokens);
    }
    return { definitions, tokens };
  }

  addSpans(start: number, definitions: readonly number[], tokens: readonly number[]): void {
    for (const [index, span] of stackSpans(start, tokens).entries()) {
      const definition = definitions[index];
      if (definition !== undefined) this.#spans.push({ span, definition });
    }
  }

  charge(prompt: Prompt, period: number): void {
    for (const { span, definition } of this.#spans) {
      const cost = chargeSpan(span, prompt);
      const rents = this.#rents[definition];
      if (!rents || span.end === span.start) continue;
      const rent = rents.get(period) ?? { cost: 0, tokens: 0 };
      rents.set(period, rent);
      rent.cost += cost;
      rent.tokens += span.end - span.start;
    }
  }

  get cost(): number {
    const amounts = this.#rents.flatMap((periods) => [...periods.values()]);
    return amounts.reduce((sum, { cost }) => sum + cost, 0);
  }
}

type LastTurn = { readonly usage: TurnUsage; readonly index: number };

export class ConversationAccount {
  readonly #calls: readonly TurnCall[];
  readonly #sums: CallSums;
  readonly #parts: PromptParts;
  readonly #rents: DefinitionRents;
  readonly #callsByWriter: ReadonlyMap<number, readonly number[]>;
  readonly #callsByReader: ReadonlyMap<number, readonly number[]>;
  #last: LastTurn | undefined;
  #index = 0;
  #total = 0;
  #unpricedTurns = 0;

  constructor(calls: readonly TurnCall[], definitions: readonly HeldDefinitions[]) {
    this.#calls = calls;
    this.#sums = new CallSums(calls.length);
    this.#parts = new PromptParts(this.#sums);
    this.#rents = new DefinitionRents(definitions);
    this.#callsByWriter = groupByTurn(calls, (call) => call.writtenBy);
    this.#callsByReader = groupByTurn(calls, (call) => call.readBy);
  }

  addTurn(turn: ModelTurn, isSide: boolean): void {
    const prices = computeTurnPrices(turn);
    if (!isSide) this.#chargePrompt(turn, prices);
    this.#chargeWritten(turn, prices);
    this.#total += prices.total;
    if (!turn.prices) this.#unpricedTurns += 1;
    this.#index += 1;
  }

  #chargePrompt({ usage, startsOver, period = 0 }: ModelTurn, prices: TurnPrices): void {
    const prompt = { size: sumPromptTokens(usage), cached: usage.cacheRead, prices };
    if (!this.#last || startsOver) this.#startOver(prompt.size);
    else this.#growTo(prompt.size, this.#last);
    this.#rents.charge(prompt, period);
    this.#parts.charge(prompt);
    this.#last = { usage, index: this.#index };
  }

  close(): ConversationCost {
    this.#parts.clear();
    const calls = this.#sums.listCosts();
    const callsCost = calls.reduce(
      (sum, { written, firstRead, carried }) => sum + written + firstRead + carried,
      0,
    );
    return {
      calls,
      rents: this.#rents.rents,
      other: this.#total - callsCost - this.#rents.cost,
      total: this.#total,
      unpricedTurns: this.#unpricedTurns,
    };
  }

  #startOver(size: number): void {
    this.#parts.clear();
    const definitionTokens = this.#rents.startOver(this.#index, size);
    this.#addParts([], size - definitionTokens, size);
  }

  // In the prompt, the text that the model wrote in the last turn precedes the answers.
  #growTo(size: number, last: LastTurn): void {
    const { output, reasoning } = last.usage;
    const growth = Math.max(0, size - sumPromptTokens(last.usage));
    const writtenCalls = this.#callsByWriter.get(last.index) ?? [];
    const tokensByCall = shrinkTo(
      Math.min(growth, output),
      this.#listTokens(writtenCalls, "argumentTokens"),
    );
    const writtenTokens = tokensByCall.reduce((sum, tokens) => sum + tokens, 0);
    // Some models' reasoning is not in the next prompt, which leaves more room for answers.
    const room = Math.min(growth - writtenTokens, Math.max(0, growth - output + reasoning));
    const parts = writtenCalls.map((call, index) => ({
      call,
      tokens: tokensByCall[index] ?? 0,
      isAnswer: false,
    }));
    this.#addParts(parts, room, size);
  }

  #addParts(written: readonly NewPart[], room: number, size: number): void {
    const readCalls = this.#callsByReader.get(this.#index) ?? [];
    const { definitions, tokens } = this.#rents.takeArrivals(this.#index);
    const newTokens = shrinkTo(room, [...tokens, ...this.#listTokens(readCalls, "answerTokens")]);
    const definitionTokens = newTokens.slice(0, definitions.length);
    const parts = [
      ...written,
      ...readCalls.map((call, index) => ({
        call,
        tokens: newTokens[definitions.length + index] ?? 0,
        isAnswer: true,
      })),
    ];
    const start = size - parts.reduce((sum, part) => sum + part.tokens, 0);
    const definitionsSize = definitionTokens.reduce((sum, count) => sum + count, 0);
    this.#rents.addSpans(start - definitionsSize, definitions, definitionTokens);
    this.#parts.add(start, parts);
  }

  #listTokens(calls: readonly number[], key: "argumentTokens" | "answerTokens"): readonly number[] {
    return calls.map((index) => this.#calls[index]?.[key] ?? 0);
  }

  #chargeWritten({ usage }: ModelTurn, { written }: TurnPrices): void {
    const writtenCalls = this.#callsByWriter.get(this.#index) ?? [];
    const tokensByCall = shrinkTo(usage.output, this.#listTokens(writtenCalls, "argumentTokens"));
    for (const [index, call] of writtenCalls.entries())
      this.#sums.addWritten(call, Math.floor((tokensByCall[index] ?? 0) * written));
  }
}

function groupByTurn(
  calls: readonly TurnCall[],
  pickTurn: (call: TurnCall) => number | null,
): ReadonlyMap<number, readonly number[]> {
  const byTurn = new Map<number, number[]>();
  for (const [index, call] of calls.entries()) {
    const turn = pickTurn(call);
    if (turn === null) continue;
    const list = byTurn.get(turn);
    if (list) list.push(index);
    else byTurn.set(turn, [index]);
  }
  return byTurn;
}
