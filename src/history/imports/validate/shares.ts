import { conversationCost } from "#records/money/turns/conversation-cost.ts";
import { promptTokens } from "#records/money/turns/turn-prices.ts";
import type { ConversationTurns } from "../turns/conversation-turns.ts";
import type { LoggedTurn } from "../turns/logged-turn.ts";

/** Tokens of answers are estimates, all others native. */
export type AnswerShares = {
  readonly enteredByAnswers: number;
  readonly entered: number;
  readonly carriedByCalls: number;
  readonly input: number;
  /** Prompts after the first that held an answer, over all answers that entered. */
  readonly rereads: number;
  readonly answers: number;
};

export function answerShares({ turns, calls }: ConversationTurns): AnswerShares {
  const places = calls.map(({ call, asked, readBy }) => ({
    argumentTokens: call.argumentTokens ?? 0,
    answerTokens: call.tokens ?? 0,
    asked,
    readBy,
  }));
  const cost = conversationCost(
    turns.map(({ usage, startsOver }) => ({ usage, startsOver, prices: undefined })),
    places,
  );
  const read = cost.calls.filter((_, index) => places[index]?.readBy !== null);
  return {
    enteredByAnswers: sum(cost.calls, ({ firstTokens }) => firstTokens),
    entered: sum(turns, (turn, index) => growth(turn, turns[index - 1])),
    carriedByCalls: sum(
      cost.calls,
      ({ firstTokens, carriedTokens }) => firstTokens + carriedTokens,
    ),
    input: sum(turns, ({ usage }) => promptTokens(usage)),
    rereads: sum(read, ({ rereads }) => rereads),
    answers: read.length,
  };
}

export const noShares: AnswerShares = {
  enteredByAnswers: 0,
  entered: 0,
  carriedByCalls: 0,
  input: 0,
  rereads: 0,
  answers: 0,
};

export function addShares(one: AnswerShares, other: AnswerShares): AnswerShares {
  return {
    enteredByAnswers: one.enteredByAnswers + other.enteredByAnswers,
    entered: one.entered + other.entered,
    carriedByCalls: one.carriedByCalls + other.carriedByCalls,
    input: one.input + other.input,
    rereads: one.rereads + other.rereads,
    answers: one.answers + other.answers,
  };
}

function growth({ usage, startsOver }: LoggedTurn, last: LoggedTurn | undefined): number {
  const size = promptTokens(usage);
  if (!last || startsOver) return size;
  return Math.max(0, size - promptTokens(last.usage) - last.usage.output);
}

function sum<Item>(items: readonly Item[], tokens: (item: Item, index: number) => number): number {
  return items.reduce((total, item, index) => total + tokens(item, index), 0);
}
