import { cleanStepsMin } from "#limits/records.ts";
import { promptTokens } from "#money/turns/turn-prices.ts";
import type { ConversationTurns } from "../turns/conversation-turns.ts";
import type { LoggedTurn } from "../turns/logged-turn.ts";
import { fitLine, type FittedLine, type Point } from "./fit-line.ts";
import { quantile } from "./quantile.ts";
import { type AnswerShares, addShares, answerShares, noShares } from "./shares.ts";
import { type LeftOut, type Step, stepTo } from "./step.ts";

export type ModelValidation = {
  readonly model: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly steps: { readonly all: number; readonly clean: number; readonly leftOut: LeftOutCounts };
  readonly native: number;
  readonly estimated: number;
  readonly fit: Fit | undefined;
  readonly shares: AnswerShares;
  readonly impossible: number;
};

export type LeftOutCounts = { readonly [reason in LeftOut]: number };

/** The errors are without correction of the scale. */
export type Fit = FittedLine & {
  readonly medianError: number;
  readonly error10: number;
  readonly error90: number;
  readonly medianScaledError: number;
};

export function validateModels(
  conversations: Iterable<ConversationTurns>,
): readonly ModelValidation[] {
  const models = new Map<string | null, ModelTally>();
  for (const conversation of conversations) {
    const main = mainModel(conversation.turns);
    for (const [index, turn] of conversation.turns.entries()) {
      tallyOf(models, turn.model).take(turn, conversation.turns[index - 1]);
    }
    tallyOf(models, main).addShares(answerShares(conversation));
  }
  return [...models.values()]
    .map((tally) => tally.close())
    .toSorted((one, other) => other.requests - one.requests || compare(one.model, other.model));
}

function tallyOf(models: Map<string | null, ModelTally>, model: string | null): ModelTally {
  const tally = models.get(model) ?? new ModelTally(model);
  models.set(model, tally);
  return tally;
}

function compare(one: string | null, other: string | null): number {
  return (one ?? "") < (other ?? "") ? -1 : 1;
}

/** Carried tokens count for the model with the most turns. */
function mainModel(turns: readonly LoggedTurn[]): string | null {
  const counts = Map.groupBy(turns, ({ model }) => model);
  let main: string | null = null;
  let most = 0;
  for (const [model, { length }] of counts) if (length > most) [main, most] = [model, length];
  return main;
}

class ModelTally {
  readonly #model: string | null;
  readonly #points: Point[] = [];
  readonly #leftOut = {
    no_answer: 0,
    other_text: 0,
    other_tools: 0,
    reasoning: 0,
    boundary: 0,
    unmeasured: 0,
  };
  #from = Infinity;
  #to = -Infinity;
  #requests = 0;
  #input = 0;
  #cacheRead = 0;
  #output = 0;
  #steps = 0;
  #impossible = 0;
  #shares = noShares;

  constructor(model: string | null) {
    this.#model = model;
  }

  take(turn: LoggedTurn, last: LoggedTurn | undefined): void {
    const { usage, at, entered } = turn;
    this.#requests += 1;
    this.#input += promptTokens(usage);
    this.#cacheRead += usage.cacheRead;
    this.#output += usage.output;
    if (at !== null) {
      this.#from = Math.min(this.#from, at);
      this.#to = Math.max(this.#to, at);
    }
    if (entered.answerTokens > promptTokens(usage)) this.#impossible += 1;
    if (last) this.#takeStep(stepTo(turn, last));
  }

  addShares(shares: AnswerShares): void {
    this.#shares = addShares(this.#shares, shares);
  }

  close(): ModelValidation {
    const [native, estimated] = [sum(this.#points, "native"), sum(this.#points, "estimated")];
    return {
      model: this.#model,
      fromMs: Number.isFinite(this.#from) ? this.#from : null,
      toMs: Number.isFinite(this.#to) ? this.#to : null,
      requests: this.#requests,
      input: this.#input,
      cacheRead: this.#cacheRead,
      output: this.#output,
      steps: { all: this.#steps, clean: this.#points.length, leftOut: { ...this.#leftOut } },
      native,
      estimated,
      fit: fitOf(this.#points),
      shares: this.#shares,
      impossible: this.#impossible,
    };
  }

  #takeStep(step: Step): void {
    this.#steps += 1;
    if (step.isClean) this.#points.push({ native: step.native, estimated: step.estimated });
    else this.#leftOut[step.reason] += 1;
  }
}

function sum(points: readonly Point[], key: keyof Point): number {
  return points.reduce((total, point) => total + point[key], 0);
}

function fitOf(points: readonly Point[]): Fit | undefined {
  if (points.length < cleanStepsMin) return undefined;
  const line = fitLine(points);
  if (!line) return undefined;
  const errors = errorsOf(points, { ...line, scale: 1 });
  return {
    ...line,
    medianError: quantile(errors, 0.5),
    error10: quantile(errors, 0.1),
    error90: quantile(errors, 0.9),
    medianScaledError: quantile(errorsOf(points, line), 0.5),
  };
}

function errorsOf(points: readonly Point[], { offset, scale }: FittedLine): readonly number[] {
  return points
    .map(({ native, estimated }) => Math.abs(native - offset - scale * estimated) / native)
    .toSorted((a, b) => a - b);
}
