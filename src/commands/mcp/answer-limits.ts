import { statSync } from "node:fs";
import { attempt, UserError } from "#kit/errors.ts";
import { findLargest, pluralize } from "#kit/text/numbers.ts";
import type { Tell } from "#kit/text/teller.ts";
import { clip } from "#kit/text/columns.ts";
import type { RecordSources } from "#state/storage/find-record-files.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { servedAnswerBytesMax } from "#transport/mcp-server/serve.ts";
import { Turn } from "#transport/proxy/judge.ts";
import type { RecordReading } from "../report/read-usage.ts";
import { type IsWanted, questionSentences } from "./question-queue.ts";

// Agents call the tools of `mcp-meter mcp` to save context, so the answers are short.
export const servedAnswerTokensMax = 1_000;

export const servedRowsMax = 50;

export const servedTableColumnsMax = 110;

export const servedNotesMax = 3;

// Reading this much takes two seconds, far less than the sixty after which many clients give up.
export const servedRecordMegabytesMax = 512;

export class Notes {
  readonly #sentences: string[] = [];

  get sentences(): readonly string[] {
    return this.#sentences;
  }

  readonly tell: Tell = (sentence) => {
    if (this.#sentences.length < servedNotesMax) {
      this.#sentences.push(clip(sentence, 2 * servedTableColumnsMax));
    }
  };
}

export function limitReading({ tell }: Notes, isWanted: IsWanted): Required<RecordReading> {
  const turn = new Turn();
  return {
    tell,
    limit: ({ sessions, imports }) => {
      const sources = [...sessions.sources, ...imports.sources];
      const newest = selectNewest(sources, servedRecordMegabytesMax * 1024 * 1024);
      const leftOut = sources.length - newest.size;
      if (leftOut > 0) tell(limitSentences.recordBytesLeftOut(leftOut, servedRecordMegabytesMax));
      const keepNewest = (found: RecordSources): RecordSources => ({
        ...found,
        sources: found.sources.filter((source) => newest.has(source)),
      });
      return { sessions: keepNewest(sessions), imports: keepNewest(imports) };
    },
    afterFile: async () => {
      if (!isWanted()) throw new UserError(questionSentences.questionCancelled());
      if (turn.isLong) await turn.next();
    },
  };
}

type Sources = RecordSources["sources"];

export function selectNewest(sources: Sources, bytesMax: number): ReadonlySet<Sources[number]> {
  const sizedSources = sources.map((source) => ({ source, ...measureFile(source.file) }));
  let bytes = 0;
  return new Set(
    sizedSources
      .toSorted((a, b) => b.changedMs - a.changedMs)
      .filter(({ size }) => {
        const isWithinMax = bytes + size <= bytesMax;
        if (isWithinMax) bytes += size;
        return isWithinMax;
      })
      .map(({ source }) => source),
  );
}

function measureFile(file: string): { readonly size: number; readonly changedMs: number } {
  const { size, mtimeMs } = attempt(() => statSync(file), { size: 0, mtimeMs: 0 });
  return { size, changedMs: mtimeMs };
}

type RenderRows = (rows: number) => {
  readonly text: string;
  readonly isShortened: boolean;
};

export function shortenAnswer(
  renderRows: RenderRows,
  rowsMax: number,
  narrowingArguments: string,
  notes: readonly string[] = [],
): string {
  const makeAnswer = (rows: number): string => {
    const { text, isShortened } = renderRows(rows);
    const more = isShortened ? [limitSentences.answerShortened(rows, narrowingArguments)] : [];
    return joinParagraphs([text, ...more, ...notes]);
  };
  const rows = findLargestFitting(rowsMax, (count) => fitsAnswer(makeAnswer(count)));
  return rows > 0
    ? makeAnswer(rows)
    : cutAnswer(renderRows(1).text, limitSentences.answerCut(narrowingArguments));
}

function findLargestFitting(countMax: number, fits: (count: number) => boolean): number {
  return fits(countMax) ? countMax : findLargest(countMax - 1, fits);
}

function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.map((paragraph) => paragraph.trimEnd()).join("\n\n");
}

function cutAnswer(text: string, sentence: string): string {
  const lines = text.split("\n");
  const cutAfter = (end: number): string =>
    joinParagraphs([lines.slice(0, end).join("\n"), sentence]);
  const end = findLargestFitting(lines.length, (count) => fitsAnswer(cutAfter(count)));
  return cutAfter(end);
}

// Counts the tokens for Claude, which needs more of them than the other known models.
function fitsAnswer(text: string): boolean {
  if (Buffer.byteLength(text) > servedAnswerBytesMax) return false;
  const estimator = createEstimator("claude", { loadTokenizer });
  return estimator.count(text) <= servedAnswerTokensMax;
}

const limitSentences = {
  answerShortened: (rows: number, narrower: string) =>
    `Shortened to ${pluralize(rows, "row")}; narrow the answer with ${narrower}`,
  answerCut: (narrower: string) => `Shortened; narrow the answer with ${narrower}`,
  recordBytesLeftOut: (files: number, megabytes: number) =>
    `Left out ${pluralize(files, "record file")}: at most ${megabytes} MB are read, newest files first; choose a later "since"`,
} as const;
