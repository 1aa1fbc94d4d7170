import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { servedTableColumnsMax } from "../limits.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { Turn } from "#transport/proxy/turn.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { clip } from "#kit/text/display.ts";
import type { Tell } from "#kit/text/teller.ts";
import { machineSources, type RecordReading } from "../report/read-usage.ts";
import { newestSources } from "./newest-sources.ts";
import type { IsWanted } from "./question-queue.ts";
import { mcpSentences } from "./sentences.ts";

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
