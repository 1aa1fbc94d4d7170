import { sentences } from "#errors.ts";
import { createEstimator } from "#estimators/index.ts";
import { servedAnswerBytesMax, servedAnswerTokensMax } from "#limits/mcp-server.ts";
import { tokenizerFor } from "#storage/vocabulary.ts";

/** A text of at most that many rows a table. */
export type TextOfRows = (rows: number) => {
  readonly text: string;
  /** True when rows are missing that the client did not leave out itself. */
  readonly isShortened: boolean;
};

/**
 * The text with as many rows as fit into an answer, and a sentence where it is shortened: `narrower` is the way to a shorter
 * one. Notes follow it.
 */
export function shortAnswer(
  textOf: TextOfRows,
  rowsMax: number,
  narrower: string,
  notes: readonly string[] = [],
): string {
  const answerOf = (rows: number): string => {
    const { text, isShortened } = textOf(rows);
    const more = isShortened ? [sentences.answerShortened(rows, narrower)] : [];
    return joined([text, ...more, ...notes]);
  };
  const rows = mostFitting(rowsMax, (count) => fitsAnswer(answerOf(count)));
  return rows > 0 ? answerOf(rows) : cutAnswer(textOf(1).text, sentences.answerCut(narrower));
}

/** The largest number up to `most` that fits, 0 when none does; the search expects that smaller ones fit as well. */
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

/** The first lines that fit into an answer, and the sentence. */
function cutAnswer(text: string, sentence: string): string {
  const lines = text.split("\n");
  const upTo = (end: number): string => joined([lines.slice(0, end).join("\n"), sentence]);
  const end = mostFitting(lines.length, (count) => fitsAnswer(upTo(count)));
  return upTo(end);
}

/**
 * True for an answer within the limits. Claude's tokens are the most of those that models with a known tokenizer count for text.
 */
function fitsAnswer(text: string): boolean {
  if (Buffer.byteLength(text) > servedAnswerBytesMax) return false;
  const estimator = createEstimator("claude", { tokenizer: tokenizerFor });
  return estimator.count(text) <= servedAnswerTokensMax;
}
