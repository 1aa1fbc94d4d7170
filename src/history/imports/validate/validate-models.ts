import { computeConversationCost } from "#records/money/turns/conversation-cost.ts";
import { sumPromptTokens } from "#records/money/turns/turn.ts";
import type { ConversationTurns, LoggedTurn } from "../conversation-turns.ts";

// A calibration fits a line through clean steps. With fewer, a line may fit by chance.
export const cleanStepsMin = 30;

// The first three are token counts: `entered` is from the client's log, the others are estimates.
type AnswerSums = {
  readonly enteredByAnswers: number;
  readonly entered: number;
  readonly carriedByCalls: number;
  readonly rereads: number;
  readonly readAnswers: number;
};

function sumAnswers({ turns, calls }: ConversationTurns): AnswerSums {
  const turnCalls = calls.map(({ call, turn, readBy }) => ({
    argumentTokens: call.argumentTokens ?? 0,
    answerTokens: call.tokens ?? 0,
    writtenBy: turn,
    readBy,
  }));
  const cost = computeConversationCost(
    turns.map(({ usage, startsOver }) => ({ usage, startsOver, prices: undefined })),
    turnCalls,
  );
  const readCalls = cost.calls.filter((_, index) => turnCalls[index]?.readBy !== null);
  return {
    enteredByAnswers: sumBy(cost.calls, ({ firstReadTokens }) => firstReadTokens),
    entered: sumBy(turns, (turn, index) => measureGrowth(turn, turns[index - 1])),
    carriedByCalls: sumBy(
      cost.calls,
      ({ firstReadTokens, carriedTokens }) => firstReadTokens + carriedTokens,
    ),
    rereads: sumBy(readCalls, ({ rereads }) => rereads),
    readAnswers: readCalls.length,
  };
}

const noAnswers: AnswerSums = {
  enteredByAnswers: 0,
  entered: 0,
  carriedByCalls: 0,
  rereads: 0,
  readAnswers: 0,
};

function addAnswers(a: AnswerSums, b: AnswerSums): AnswerSums {
  return {
    enteredByAnswers: a.enteredByAnswers + b.enteredByAnswers,
    entered: a.entered + b.entered,
    carriedByCalls: a.carriedByCalls + b.carriedByCalls,
    rereads: a.rereads + b.rereads,
    readAnswers: a.readAnswers + b.readAnswers,
  };
}

function measureGrowth(
  { usage, startsOver }: LoggedTurn,
  previous: LoggedTurn | undefined,
): number {
  const size = sumPromptTokens(usage);
  if (!previous || startsOver) return size;
  return Math.max(0, size - sumPromptTokens(previous.usage) - previous.usage.output);
}

function sumBy<Item>(
  items: readonly Item[],
  tokens: (item: Item, index: number) => number,
): number {
  return items.reduce((total, item, index) => total + tokens(item, index), 0);
}

// Clients may drop the preceding reasoning, so a clean step is at least this many times larger.
const reasoningFactorMin = 10;

export type ModelValidation = {
  readonly model: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly output: number;
  readonly steps: {
    readonly total: number;
    readonly clean: number;
    readonly leftOut: LeftOutCounts;
  };
  readonly native: number;
  readonly estimated: number;
  readonly fit: Fit | undefined;
  readonly answers: AnswerSums;
  readonly impossible: number;
};

export type LeftOutCounts = { readonly [reason in LeftOutReason]: number };

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
    const main = findMainModel(conversation.turns);
    for (const [index, turn] of conversation.turns.entries()) {
      findTally(models, turn.model).take(turn, conversation.turns[index - 1]);
    }
    findTally(models, main).addAnswers(sumAnswers(conversation));
  }
  return [...models.values()]
    .map((tally) => tally.close())
    .toSorted((a, b) => b.requests - a.requests || ((a.model ?? "") < (b.model ?? "") ? -1 : 1));
}

function findTally(models: Map<string | null, ModelTally>, model: string | null): ModelTally {
  const tally = models.get(model) ?? new ModelTally(model);
  models.set(model, tally);
  return tally;
}

function findMainModel(turns: readonly LoggedTurn[]): string | null {
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
  readonly #sums = { requests: 0, input: 0, cacheRead: 0, output: 0, impossible: 0 };
  #steps = 0;
  #answers = noAnswers;

  constructor(model: string | null) {
    this.#model = model;
  }

  take(turn: LoggedTurn, previous: LoggedTurn | undefined): void {
    const { usage, at, entered } = turn;
    const sums = this.#sums;
    sums.requests += 1;
    sums.input += sumPromptTokens(usage);
    sums.cacheRead += usage.cacheRead;
    sums.output += usage.output;
    if (at !== null) {
      this.#from = Math.min(this.#from, at);
      this.#to = Math.max(this.#to, at);
    }
    if (entered.answerTokens > sumPromptTokens(usage)) sums.impossible += 1;
    if (previous) this.#takeStep(measureStep(turn, previous));
  }

  addAnswers(answers: AnswerSums): void {
    this.#answers = addAnswers(this.#answers, answers);
  }

  close(): ModelValidation {
    const [native, estimated] = [
      sumPoints(this.#points, "native"),
      sumPoints(this.#points, "estimated"),
    ];
    return {
      model: this.#model,
      fromMs: Number.isFinite(this.#from) ? this.#from : null,
      toMs: Number.isFinite(this.#to) ? this.#to : null,
      ...this.#sums,
      steps: { total: this.#steps, clean: this.#points.length, leftOut: { ...this.#leftOut } },
      native,
      estimated,
      fit: fitPoints(this.#points),
      answers: this.#answers,
    };
  }

  #takeStep(step: Step): void {
    this.#steps += 1;
    if (step.isClean) this.#points.push({ native: step.native, estimated: step.estimated });
    else this.#leftOut[step.reason] += 1;
  }
}

function sumPoints(points: readonly Point[], key: keyof Point): number {
  return points.reduce((total, point) => total + point[key], 0);
}

function fitPoints(points: readonly Point[]): Fit | undefined {
  if (points.length < cleanStepsMin) return undefined;
  const line = fitLine(points);
  if (!line) return undefined;
  const errors = computeErrors(points, { ...line, scale: 1 });
  return {
    ...line,
    medianError: computeQuantile(errors, 0.5),
    error10: computeQuantile(errors, 0.1),
    error90: computeQuantile(errors, 0.9),
    medianScaledError: computeQuantile(computeErrors(points, line), 0.5),
  };
}

function computeErrors(points: readonly Point[], { offset, scale }: FittedLine): readonly number[] {
  return points
    .map(({ native, estimated }) => Math.abs(native - offset - scale * estimated) / native)
    .toSorted((a, b) => a - b);
}

type LeftOutReason =
  | "no_answer"
  | "other_text"
  | "other_tools"
  // The log does not show how much reasoning the next prompt contains.
  | "reasoning"
  // The context started over, the model changed, or content was cleared.
  | "boundary"
  | "unmeasured";

type Step =
  | { readonly isClean: true; readonly native: number; readonly estimated: number }
  | { readonly isClean: false; readonly reason: LeftOutReason };

function measureStep(turn: LoggedTurn, previous: LoggedTurn): Step {
  const reason = findLeftOutReason(turn, previous);
  if (reason) return { isClean: false, reason };
  const { output, reasoning } = previous.usage;
  const least = sumPromptTokens(turn.usage) - sumPromptTokens(previous.usage) - output;
  // The growth is `least` if the client keeps the reasoning, `least + reasoning` if it drops it.
  const native = least + reasoning / 2;
  const hasNotGrown = native <= 0 && reasoning === 0;
  if (least < -reasoning || hasNotGrown) return { isClean: false, reason: "boundary" };
  if (reasoning > native / reasoningFactorMin) return { isClean: false, reason: "reasoning" };
  return { isClean: true, native, estimated: turn.entered.answerTokens };
}

function findLeftOutReason(
  { startsOver, model, entered }: LoggedTurn,
  previous: LoggedTurn,
): LeftOutReason | undefined {
  if (startsOver || model !== previous.model) return "boundary";
  if (entered.answers === 0) return "no_answer";
  if (entered.texts > 0) return "other_text";
  if (entered.otherResults > 0) return "other_tools";
  if (entered.hidden > 0) return "reasoning";
  return entered.unmeasured > 0 ? "unmeasured" : undefined;
}

// Two thousand points make two million pairs, sorted in half a second.
const fittedPointsMax = 2_000;

type Point = { readonly estimated: number; readonly native: number };

type FittedLine = { readonly offset: number; readonly scale: number };

// Theil–Sen estimator, because more than a quarter of the points may be outliers.
function fitLine(points: readonly Point[]): FittedLine | undefined {
  const chosen = pickSpaced(points, fittedPointsMax);
  const slopes: number[] = [];
  for (const [index, a] of chosen.entries()) {
    for (const b of chosen.slice(index + 1)) {
      const run = b.estimated - a.estimated;
      if (run !== 0) slopes.push((b.native - a.native) / run);
    }
  }
  if (slopes.length === 0) return undefined;
  const scale = computeMedian(slopes);
  return {
    scale,
    offset: computeMedian(chosen.map((point) => point.native - scale * point.estimated)),
  };
}

function pickSpaced(points: readonly Point[], max: number): readonly Point[] {
  if (points.length <= max) return points;
  const step = points.length / max;
  return Array.from({ length: max }, (_, index) => points[Math.floor(index * step)]).filter(
    (point) => point !== undefined,
  );
}

function computeQuantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

function computeMedian(numbers: readonly number[]): number {
  return computeQuantile(
    numbers.toSorted((a, b) => a - b),
    0.5,
  );
}
