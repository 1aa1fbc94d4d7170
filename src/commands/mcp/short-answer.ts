import { createEstimator } from "#tokens/estimators/index.ts";
import { servedAnswerBytesMax } from "#kit/limits.ts";
import { tokenizerFor } from "#state/storage/vocabulary.ts";
import { mcpSentences } from "./sentences.ts";

// By the estimator with the most tokens: an agent asks to spare its context.
export const servedAnswerTokensMax = 1_000;

export type TextOfRows = (rows: number) => {
  readonly text: string;
  readonly isShortened: boolean;
};

/** As many rows as fit, and a sentence if shortened: `narrower` says how to ask for less. */
export function shortAnswer(
  textOf: TextOfRows,
  rowsMax: number,
  narrower: string,
  notes: readonly string[] = [],
): string {
  const answerOf = (rows: number): string => {
    const { text, isShortened } = textOf(rows);
    const more = isShortened ? [mcpSentences.answerShortened(rows, narrower)] : [];
    return joined([text, ...more, ...notes]);
  };
  const rows = mostFitting(rowsMax, (count) => fitsAnswer(answerOf(count)));
  return rows > 0 ? answerOf(rows) : cutAnswer(textOf(1).text, mcpSentences.answerCut(narrower));
}

function mostFitting(most: number, fits: (count: number) => boolean): number {
  if (fits(most)) return most;
  let [fitting, tooMany] = [0, most];
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}

function joined(parts: readonly string[]): string {
  return parts.map((part) => part.trimEnd()).join("\n\n");
}

function cutAnswer(text: string, sentence: string): string {
  const lines = text.split("\n");
  const upTo = (end: number): string => joined([lines.slice(0, end).join("\n"), sentence]);
  const end = mostFitting(lines.length, (count) => fitsAnswer(upTo(count)));
  return upTo(end);
}

/** Counted for Claude, which needs the most tokens of all models with a known tokenizer. */
function fitsAnswer(text: string): boolean {
  if (Buffer.byteLength(text) > servedAnswerBytesMax) return false;
  const estimator = createEstimator("claude", { tokenizer: tokenizerFor });
  return estimator.count(text) <= servedAnswerTokensMax;
}
