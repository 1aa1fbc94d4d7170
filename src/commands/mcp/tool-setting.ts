import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { Turn } from "#transport/proxy/turn.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { clip } from "#kit/text/display.ts";
import type { Tell } from "#kit/text/teller.ts";
import { machineSources, type RecordReading } from "../report/read-usage.ts";
import type { IsWanted } from "./question-queue.ts";
import { mcpSentences } from "./sentences.ts";
import { statSync } from "node:fs";
import type { RecordSources } from "#state/storage/record-files.ts";

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
