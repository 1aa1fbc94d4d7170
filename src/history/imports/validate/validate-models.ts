import { computeConversationCost, findSideTurns } from "#records/money/turns/conversation-cost.ts";
import { sumPromptTokens } from "#records/money/turns/turn.ts";
import type { ConversationTurns, LoggedTurn } from "../conversation-turns.ts";
import { sumBy } from "#kit/text/numbers.ts";
import { addCounts } from "../import-report.ts";

// With fewer steps, a good fit may be chance.
export const cleanStepsMin = 30;

export type ModelValidation = {
  readonly model: string | null;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  readonly requests: number;
  readonly inputTokens: number;
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  readonly steps: {
    readonly total: number;
    readonly clean: number;
    readonly leftOut: LeftOutCounts;
  };
  // How much the prompts grew over all clean steps, by the client's log and by our estimates.
  readonly nativeTokens: number;
  readonly estimatedTokens: number;
  readonly fit: Fit | undefined;
  readonly answers: AnswerSums;
  readonly impossibleRequests: number; // the prompt is smaller than our estimate of its new tool answers
};

type AnswerSums = {
  readonly enteredAnswerTokens: number;
  // From the client's log. The other token counts are estimates.
  readonly enteredTokens: number;
  readonly carriedCallTokens: number;
  readonly rereads: number;
  readonly readAnswers: number;
};

export type LeftOutCounts = { readonly [reason in LeftOutReason]: number };

export type Fit = FittedLine & {
  readonly medianError: number;
  readonly percentile10Error: number;
  readonly percentile90Error: number;
  readonly medianScaledError: number;
};

export function validateModels(
  conversations: Iterable<ConversationTurns>,
): readonly ModelValidation[] {
  const models = new Map<string | null, ModelTally>();
  for (const conversation of conversations) {
    const { turns } = conversation;
    const mainTurns = skipSideTurns(turns);
    for (const turn of turns) findTally(models, turn.model).addRequest(turn);
    for (const [index, turn] of mainTurns.entries()) {
      findTally(models, turn.model).addPrompt(turn, mainTurns[index - 1]);
    }
    const answers = sumAnswers(conversation, mainTurns);
    findTally(models, findMainModel(turns)).addAnswers(answers);
  }
  return [...models.values()]
    .map((tally) => tally.summarize())
    .toSorted((a, b) => b.requests - a.requests || ((a.model ?? "") < (b.model ?? "") ? -1 : 1));
}

// A side turn's new content enters the conversation in the following turn and counts there.
function skipSideTurns(turns: readonly LoggedTurn[]): readonly LoggedTurn[] {
  const sideTurns = findSideTurns(turns);
  return turns.flatMap((turn, index) => {
    if (sideTurns.has(index)) return [];
    const side = sideTurns.has(index - 1) ? turns[index - 1] : undefined;
    return side ? [{ ...turn, newContent: addCounts(side.newContent, turn.newContent) }] : [turn];
  });
}

function findTally(models: Map<string | null, ModelTally>, model: string | null): ModelTally {
  return models.getOrInsertComputed(model, () => new ModelTally(model));
}

function findMainModel(turns: readonly LoggedTurn[]): string | null {
  const counts = Map.groupBy(turns, ({ model }) => model);
  let main: string | null = null;
  let most = 0;
  for (const [model, { length }] of counts) if (length > most) [main, most] = [model, length];
  return main;
}

function sumAnswers(
  { turns, calls }: ConversationTurns,
  mainTurns: readonly LoggedTurn[],
): AnswerSums {
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
    enteredAnswerTokens: sumBy(cost.calls, ({ firstReadTokens }) => firstReadTokens),
    enteredTokens: sumBy(mainTurns, (turn, index) => measureGrowth(turn, mainTurns[index - 1])),
    carriedCallTokens: sumBy(
      cost.calls,
      ({ firstReadTokens, carriedTokens }) => firstReadTokens + carriedTokens,
    ),
    rereads: sumBy(readCalls, ({ rereads }) => rereads),
    readAnswers: readCalls.length,
  };
}

const noAnswers: AnswerSums = {
  enteredAnswerTokens: 0,
  enteredTokens: 0,
  carriedCallTokens: 0,
  rereads: 0,
  readAnswers: 0,
};

function measureGrowth(
  { usage, startsOver }: LoggedTurn,
  previous: LoggedTurn | undefined,
): number {
  const size = sumPromptTokens(usage);
  if (!previous || startsOver) return size;
  return Math.max(0, size - sumPromptTokens(previous.usage) - previous.usage.output);
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
  #fromMs = Infinity;
  #toMs = -Infinity;
  readonly #sums = {
    requests: 0,
    inputTokens: 0,
    cacheReadTokens: 0,
    outputTokens: 0,
    impossibleRequests: 0,
  };
  #stepCount = 0;
  #answers = noAnswers;

  constructor(model: string | null) {
    this.#model = model;
  }

  addRequest({ usage, at }: LoggedTurn): void {
    const sums = this.#sums;
    sums.requests += 1;
    sums.inputTokens += sumPromptTokens(usage);
    sums.cacheReadTokens += usage.cacheRead;
    sums.outputTokens += usage.output;
    if (at !== null) {
      this.#fromMs = Math.min(this.#fromMs, at);
      this.#toMs = Math.max(this.#toMs, at);
    }
  }

  addPrompt(turn: LoggedTurn, previous: LoggedTurn | undefined): void {
    if (turn.newContent.answerTokens > sumPromptTokens(turn.usage))
      this.#sums.impossibleRequests += 1;
    if (previous) this.#addStep(measureStep(turn, previous));
  }

  addAnswers(answers: AnswerSums): void {
    this.#answers = addCounts(this.#answers, answers);
  }

  summarize(): ModelValidation {
    return {
      model: this.#model,
      fromMs: Number.isFinite(this.#fromMs) ? this.#fromMs : null,
      toMs: Number.isFinite(this.#toMs) ? this.#toMs : null,
      ...this.#sums,
      steps: { total: this.#stepCount, clean: this.#points.length, leftOut: { ...this.#leftOut } },
      nativeTokens: sumBy(this.#points, ({ native }) => native),
      estimatedTokens: sumBy(this.#points, ({ estimated }) => estimated),
      fit: fitPoints(this.#points),
      answers: this.#answers,
    };
  }

  #addStep(step: Step): void {
    this.#stepCount += 1;
    if (step.isClean) this.#points.push({ native: step.native, estimated: step.estimated });
    else this.#leftOut[step.reason] += 1;
  }
}

function fitPoints(points: readonly Point[]): Fit | undefined {
  if (points.length < cleanStepsMin) return undefined;
  const line = fitLine(points);
  if (!line) return undefined;
  // Uses the offset of the line but not its scale, which would hide errors of the estimates.
  const errors = computeErrors(points, { ...line, scale: 1 });
  return {
    ...line,
    medianError: computeQuantile(errors, 0.5),
    percentile10Error: computeQuantile(errors, 0.1),
    percentile90Error: computeQuantile(errors, 0.9),
    medianScaledError: computeQuantile(computeErrors(points, line), 0.5),
  };
}

function computeErrors(points: readonly Point[], { offset, scale }: FittedLine): readonly number[] {
  return points
    .map(({ native, estimated }) => Math.abs(native - offset - scale * estimated) / native)
    .toSorted((a, b) => a - b);
}

type LeftOutReason =
  // The prompt has no new answer from an MCP server.
  | "no_answer"
  | "other_text"
  | "other_tools"
  // The log does not show how much reasoning the next prompt contains.
  | "reasoning"
  // The context started over, the model changed, or content was cleared.
  | "boundary"
  | "unmeasured";

// How much the prompt grew since the previous turn, minus the output of that turn. A step is clean if only measured
// answers account for the rest.
type Step =
  | { readonly isClean: true; readonly native: number; readonly estimated: number }
  | { readonly isClean: false; readonly reason: LeftOutReason };

// The log does not show whether the client dropped the reasoning. So in a clean step, the growth must be at least this
// multiple of the reasoning.
const reasoningFactorMin = 10;

function measureStep(turn: LoggedTurn, previous: LoggedTurn): Step {
  const reason = findLeftOutReason(turn, previous);
  if (reason) return { isClean: false, reason };
  const { output, reasoning } = previous.usage;
  const leastGrowth = sumPromptTokens(turn.usage) - sumPromptTokens(previous.usage) - output;
  // `output` includes the reasoning. Because the client may have dropped the reasoning, we add half of it back.
  const native = leastGrowth + reasoning / 2;
  const hasNotGrown = native <= 0 && reasoning === 0;
  if (leastGrowth < -reasoning || hasNotGrown) return { isClean: false, reason: "boundary" };
  if (reasoning > native / reasoningFactorMin) return { isClean: false, reason: "reasoning" };
  return { isClean: true, native, estimated: turn.newContent.answerTokens };
}

function findLeftOutReason(
  { startsOver, model, newContent }: LoggedTurn,
  previous: LoggedTurn,
): LeftOutReason | undefined {
  if (startsOver || model !== previous.model) return "boundary";
  if (newContent.answers === 0) return "no_answer";
  if (newContent.texts > 0) return "other_text";
  if (newContent.otherResults > 0) return "other_tools";
  if (newContent.hiddenReasonings > 0) return "reasoning";
  return newContent.unmeasured > 0 ? "unmeasured" : undefined;
}

// Two thousand points make two million slopes, which are sorted in half a second.
const fittedPointsMax = 2_000;

type Point = { readonly estimated: number; readonly native: number };

type FittedLine = { readonly offset: number; readonly scale: number };

// Theil–Sen estimator, which still fits if a quarter of the points are outliers.
function fitLine(points: readonly Point[]): FittedLine | undefined {
  const chosen = pickEvenlySpaced(points, fittedPointsMax);
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

function pickEvenlySpaced(points: readonly Point[], max: number): readonly Point[] {
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
