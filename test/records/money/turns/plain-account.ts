import {
  promptPartsMax,
  chargeSpan,
  type ContextSpan,
  type Prompt,
  shrinkTo,
  stackSpans,
} from "#records/money/turns/prompt-parts.ts";
import {
  type TurnCallCost as CallCost,
  type ModelTurn,
  type TurnCall,
  type TurnUsage,
  sumPromptTokens,
  computeTurnPrices,
  type TurnPrices,
} from "#records/money/turns/turn.ts";

type CallPart = {
  readonly span: ContextSpan;
  readonly call: CallInTurns;
  readonly isAnswer: boolean;
  isNew: boolean;
};

type Last = { readonly usage: TurnUsage; readonly index: number };

type CallInTurns = { -readonly [key in keyof CallCost]: CallCost[key] };

type PlainRent = { cost: number; tokens: number };

export class PlainAccount {
  readonly #calls: readonly TurnCall[];
  readonly #costs: readonly CallInTurns[];
  readonly #definitions: readonly number[];
  readonly #rents: readonly PlainRent[];
  readonly #writtenBy: ReadonlyMap<number, readonly number[]>;
  readonly #read: ReadonlyMap<number, readonly number[]>;
  #rentParts: readonly ContextSpan[] = [];
  #parts: CallPart[] = [];
  #last: Last | undefined;
  #index = 0;
  #total = 0;
  #unpriced = 0;

  constructor(calls: readonly TurnCall[], definitions: readonly number[]) {
    this.#calls = calls;
    this.#costs = calls.map(() => ({
      written: 0,
      firstRead: 0,
      carried: 0,
      firstReadTokens: 0,
      rereads: 0,
      carriedTokens: 0,
    }));
    this.#definitions = definitions;
    this.#rents = definitions.map(() => ({ cost: 0, tokens: 0 }));
    this.#writtenBy = groupByTurn(calls, ({ writtenBy }) => writtenBy);
    this.#read = groupByTurn(calls, ({ readBy }) => readBy);
  }

  take(turn: ModelTurn, isAside: boolean): void {
    const prices = computeTurnPrices(turn);
    if (!isAside) this.#takePrompt(turn, prices);
    this.#write(turn, prices);
    this.#total += prices.total;
    if (!turn.prices) this.#unpriced += 1;
    this.#index += 1;
  }

  #takePrompt(turn: ModelTurn, prices: TurnPrices): void {
    const prompt = { size: sumPromptTokens(turn.usage), cached: turn.usage.cacheRead, prices };
    if (!this.#last || turn.startsOver) this.#begin(prompt.size);
    else this.#enter(prompt.size, this.#last);
    this.#charge(prompt);
    this.#last = { usage: turn.usage, index: this.#index };
  }

  close() {
    const ofCalls = this.#costs.reduce(
      (sum, { written, firstRead, carried }) => sum + written + firstRead + carried,
      0,
    );
    const ofRents = this.#rents.reduce((sum, { cost }) => sum + cost, 0);
    return {
      calls: this.#costs,
      rents: this.#rents,
      other: this.#total - ofCalls - ofRents,
      total: this.#total,
      unpricedTurns: this.#unpriced,
    };
  }

  #begin(size: number): void {
    const definitions = shrinkTo(size, this.#definitions);
    this.#rentParts = stackSpans(0, definitions);
    this.#parts = [];
    const taken = this.#rentParts.at(-1)?.end ?? 0;
    this.#add([], size - taken, size);
  }

  #enter(size: number, last: Last): void {
    const { output, reasoning } = last.usage;
    const grown = Math.max(0, size - sumPromptTokens(last.usage));
    const writtenCalls = this.#writtenBy.get(last.index) ?? [];
    const texts = shrinkTo(Math.min(grown, output), this.#tokens(writtenCalls, "argumentTokens"));
    const written = texts.reduce((sum, tokens) => sum + tokens, 0);
    // Some models drop their reasoning from the next prompt, so answers may fill its room.
    const room = Math.min(grown - written, Math.max(0, grown - output + reasoning));
    this.#add(
      writtenCalls.map((call, index) => ({ call, tokens: texts[index] ?? 0 })),
      room,
      size,
    );
  }

  #add(
    texts: readonly { readonly call: number; readonly tokens: number }[],
    room: number,
    size: number,
  ): void {
    const read = this.#read.get(this.#index) ?? [];
    const answers = shrinkTo(room, this.#tokens(read, "answerTokens"));
    const sizes = [...texts.map(({ tokens }) => tokens), ...answers];
    const start = size - sizes.reduce((sum, tokens) => sum + tokens, 0);
    const calls = [...texts.map(({ call }) => call), ...read];
    for (const [index, span] of stackSpans(start, sizes).entries()) {
      const call = this.#costs[calls[index] ?? 0];
      if (call)
        this.#parts.push({ span: span, call, isAnswer: index >= texts.length, isNew: true });
    }
    if (this.#parts.length > promptPartsMax) this.#parts = this.#parts.slice(-promptPartsMax);
  }

  #tokens(calls: readonly number[], key: "argumentTokens" | "answerTokens"): readonly number[] {
    return calls.map((index) => this.#calls[index]?.[key] ?? 0);
  }

  #charge(prompt: Prompt): void {
    for (const [index, span] of this.#rentParts.entries()) {
      const rent = this.#rents[index];
      if (!rent) continue;
      rent.cost += chargeSpan(span, prompt);
      rent.tokens += span.end - span.start;
    }
    for (const item of this.#parts) chargeCall(item, prompt);
    this.#parts = this.#parts.filter(({ span: part }) => part.end > part.start);
  }

  #write({ usage }: ModelTurn, { written }: TurnPrices): void {
    const writtenCalls = this.#writtenBy.get(this.#index) ?? [];
    const texts = shrinkTo(usage.output, this.#tokens(writtenCalls, "argumentTokens"));
    for (const [index, call] of writtenCalls.entries()) {
      const cost = this.#costs[call];
      if (cost) cost.written += Math.floor((texts[index] ?? 0) * written);
    }
  }
}

function chargeCall(item: CallPart, prompt: Prompt): void {
  const { span: part, call, isAnswer } = item;
  const cost = chargeSpan(part, prompt);
  const tokens = part.end - part.start;
  const isFirst = isAnswer && item.isNew;
  item.isNew = false;
  if (isFirst) {
    call.firstRead += cost;
    call.firstReadTokens += tokens;
    return;
  }
  call.carried += cost;
  call.carriedTokens += tokens;
  if (isAnswer && tokens > 0) call.rereads += 1;
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
