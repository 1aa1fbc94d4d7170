import { findLargest } from "#kit/text/numbers.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { Turn } from "#transport/proxy/judge.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import type { Tell } from "#kit/text/teller.ts";
import {
  findMachineImports,
  findMachineSources,
  type RecordReading,
} from "../report/read-usage.ts";
import type { IsWanted } from "./question-queue.ts";
import { mcpSentences } from "./sentences.ts";
import { statSync } from "node:fs";
import type { RecordSources } from "#state/storage/find-record-files.ts";
import {
  type ServedArguments,
  type ArgumentSchema,
  mcpServerSentences,
  servedAnswerBytesMax,
} from "#transport/mcp-server/serve.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { isRangeBound } from "#history/reports/time-range.ts";
import { rangeBoundForms } from "../since-until-options.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { loadTokenizer } from "#state/storage/load-tokenizer.ts";

export const servedTableColumnsMax = 110;

export const servedNotesMax = 3;

// Reading this much takes two seconds; clients wait for at most sixty.
export const servedRecordMegabytesMax = 512;

export type ToolContext = {
  readonly timezone: string | undefined;
  readonly prices: PriceBook | undefined;
  readonly io: Pick<Io, "env" | "platform">;
  readonly now: () => number;
};

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

/** Adds a note about the record files that it leaves out. `afterFile` yields to the event loop, and throws if cancelled. */
export function limitReading({ tell }: Notes, isWanted: IsWanted): Required<RecordReading> {
  const turn = new Turn();
  return {
    tell,
    limit: (found) => {
      const { sources, leftOut } = selectNewest(found, servedRecordMegabytesMax * 1024 * 1024);
      if (leftOut > 0) tell(mcpSentences.recordBytesLeftOut(leftOut, servedRecordMegabytesMax));
      return { sources, leftOut: 0 };
    },
    afterFile: async () => {
      if (!isWanted()) throw new UserError(mcpSentences.questionCancelled());
      if (turn.isLong) await turn.next();
    },
  };
}

/** True for records of sessions, and for imported ones. */
export function hasRecords({ env }: Pick<Io, "env">): boolean {
  const folder = findStateFolder(env);
  if (folder === undefined) return false;
  const found = [findMachineSources(folder, -Infinity), findMachineImports(folder, -Infinity)];
  return found.some(({ sources }) => sources.length > 0);
}

export function selectNewest({ sources, leftOut }: RecordSources, bytesMax: number): RecordSources {
  const sized = sources.map((source) => ({ source, ...measureFile(source.file) }));
  let bytes = 0;
  const selected = new Set(
    sized
      .toSorted((a, b) => b.changedMs - a.changedMs)
      .filter(({ size }) => {
        const isWithinMax = bytes + size <= bytesMax;
        if (isWithinMax) bytes += size;
        return isWithinMax;
      })
      .map(({ source }) => source),
  );
  const newest = sources.filter((source) => selected.has(source));
  return { sources: newest, leftOut: leftOut + sources.length - newest.length };
}

function measureFile(file: string): { readonly size: number; readonly changedMs: number } {
  try {
    const { size, mtimeMs } = statSync(file);
    return { size, changedMs: mtimeMs };
  } catch {
    return { size: 0, changedMs: 0 };
  }
}

export const nameArgument: ArgumentSchema = { type: "string", description: "name or wildcard" };

export function describeSince(byDefault: string): ArgumentSchema {
  return { type: "string", description: `such as 24h, 7d, 2026-11-01; default ${byDefault}` };
}

function readArgument(args: ServedArguments, name: string): string | undefined {
  const value = args[name];
  return value === undefined ? undefined : String(value);
}

export function parseRangeArgument(args: ServedArguments, name: string): string | undefined {
  const text = readArgument(args, name);
  if (text === undefined || isRangeBound(text)) return text;
  throw new UserError(
    mcpServerSentences.argumentValue(name, JSON.stringify(text), rangeBoundForms),
  );
}

export function parseNameFilters(args: ServedArguments): NameFilters {
  const readFilter = (name: string): string[] => [readArgument(args, name) ?? []].flat();
  return { servers: readFilter("server"), tools: readFilter("tool"), clients: [] };
}

// Few, because an agent asks in order to save context.
export const servedAnswerTokensMax = 1_000;

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
    const more = isShortened ? [mcpSentences.answerShortened(rows, narrowingArguments)] : [];
    return joinParagraphs([text, ...more, ...notes]);
  };
  const rows = findMostFitting(rowsMax, (count) => fitsAnswer(makeAnswer(count)));
  return rows > 0
    ? makeAnswer(rows)
    : cutAnswer(renderRows(1).text, mcpSentences.answerCut(narrowingArguments));
}

function findMostFitting(countMax: number, fits: (count: number) => boolean): number {
  return fits(countMax) ? countMax : findLargest(countMax - 1, fits);
}

function joinParagraphs(paragraphs: readonly string[]): string {
  return paragraphs.map((paragraph) => paragraph.trimEnd()).join("\n\n");
}

function cutAnswer(text: string, sentence: string): string {
  const lines = text.split("\n");
  const cutAfter = (end: number): string =>
    joinParagraphs([lines.slice(0, end).join("\n"), sentence]);
  const end = findMostFitting(lines.length, (count) => fitsAnswer(cutAfter(count)));
  return cutAfter(end);
}

// Counted for Claude, which needs the most tokens of all models with a known tokenizer.
function fitsAnswer(text: string): boolean {
  if (Buffer.byteLength(text) > servedAnswerBytesMax) return false;
  const estimator = createEstimator("claude", { loadTokenizer });
  return estimator.count(text) <= servedAnswerTokensMax;
}
