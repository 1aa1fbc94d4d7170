import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { Turn } from "#transport/proxy/turn.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import type { Tell } from "#kit/text/teller.ts";
import { machineSources, type RecordReading } from "../report/read-usage.ts";
import type { IsWanted } from "./question-queue.ts";
import { mcpSentences } from "./sentences.ts";
import { statSync } from "node:fs";
import type { RecordSources } from "#state/storage/record-files.ts";
import type { ServedArguments, ArgumentSchema } from "#transport/mcp-server/served-tool.ts";
import type { NameFilters } from "#history/reports/make-report.ts";
import { isRangeEnd } from "#history/reports/calendar.ts";
import { rangeEndForms } from "../report/options.ts";
import { mcpServerSentences } from "#transport/mcp-server/sentences.ts";
import { createEstimator } from "#tokens/estimators/index.ts";
import { servedAnswerBytesMax } from "#kit/limits.ts";
import { tokenizerFor } from "#state/storage/vocabulary.ts";

// Beyond it names lose their middle.
export const servedTableColumnsMax = 110;

export const servedNotesMax = 3;

// Read in two seconds; a client waits for sixty at most.
export const servedRecordMegabytesMax = 512;

export type ToolSetting = {
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

/** Notes the files beyond the limit. The event loop turns between files. Rejects with UserError when the client cancels. */
export function boundedReading({ tell }: Notes, isWanted: IsWanted): Required<RecordReading> {
  const turn = new Turn();
  return {
    tell,
    limit: (found) => {
      const { sources, leftOut } = newestSources(found, servedRecordMegabytesMax * 1024 * 1024);
      if (leftOut > 0) tell(mcpSentences.recordBytesLeftOut(leftOut, servedRecordMegabytesMax));
      return { sources, leftOut: 0 };
    },
    pause: async () => {
      if (!isWanted()) throw new UserError(mcpSentences.questionCancelled());
      if (turn.isLong) await turn.next();
    },
  };
}

export function hasRecords({ env }: Pick<Io, "env">): boolean {
  const folder = stateFolder(env);
  return folder !== undefined && machineSources(folder, -Infinity).sources.length > 0;
}

export function newestSources(
  { sources, leftOut }: RecordSources,
  bytesMax: number,
): RecordSources {
  const sized = sources.map((source) => ({ source, ...sizeOf(source.file) }));
  let bytes = 0;
  const kept = new Set(
    sized
      .toSorted((one, other) => other.changedMs - one.changedMs)
      .filter(({ size }) => {
        const isKept = bytes + size <= bytesMax;
        if (isKept) bytes += size;
        return isKept;
      })
      .map(({ source }) => source),
  );
  const left = sources.filter((source) => kept.has(source));
  return { sources: left, leftOut: leftOut + sources.length - left.length };
}

function sizeOf(file: string): { readonly size: number; readonly changedMs: number } {
  try {
    const { size, mtimeMs } = statSync(file);
    return { size, changedMs: mtimeMs };
  } catch {
    return { size: 0, changedMs: 0 };
  }
}

export const nameArgument: ArgumentSchema = { type: "string", description: "name or wildcard" };

export function sinceArgument(byDefault: string): ArgumentSchema {
  return { type: "string", description: `such as 24h, 7d, 2026-11-01; default ${byDefault}` };
}

function textArgument(args: ServedArguments, name: string): string | undefined {
  const value = args[name];
  return value === undefined ? undefined : String(value);
}

export function rangeArgument(args: ServedArguments, name: string): string | undefined {
  const text = textArgument(args, name);
  if (text === undefined || isRangeEnd(text)) return text;
  throw new UserError(mcpServerSentences.argumentValue(name, JSON.stringify(text), rangeEndForms));
}

export function nameFilters(args: ServedArguments): NameFilters {
  const one = (name: string): string[] => [textArgument(args, name) ?? []].flat();
  return { servers: one("server"), tools: one("tool"), clients: [] };
}

// By the estimator with the most tokens: an agent asks to spare its context.
export const servedAnswerTokensMax = 1_000;

type TextOfRows = (rows: number) => {
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
