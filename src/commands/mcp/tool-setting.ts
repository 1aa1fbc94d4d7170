import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import {
  servedNotesMax,
  servedRecordMegabytesMax,
  servedTableColumnsMax,
} from "#limits/mcp-server.ts";
import type { PriceBook } from "#money/price-book.ts";
import { Turn } from "#proxy/turn.ts";
import { stateFolder } from "#storage/folders.ts";
import { clip } from "#text/display.ts";
import type { Tell } from "#text/teller.ts";
import { machineSources, type RecordReading } from "../report/read-usage.ts";
import { newestSources } from "./newest-sources.ts";
import type { IsWanted } from "./question-queue.ts";

/** Everything that the tools depend on besides their arguments. */
export type ToolSetting = {
  /** Undefined for that of the machine. */
  readonly timezone: string | undefined;
  /** Undefined when no costs are shown. */
  readonly prices: PriceBook | undefined;
  readonly io: Pick<Io, "env" | "platform">;
  readonly now: () => number;
};

/** Sentences about records, the first ones, each of one line. */
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

/**
 * Reads the newest files up to a limit, with a note about the others. The event loop turns between files. The reading is rejected
 * with UserError when the client cancels.
 */
export function boundedReading({ tell }: Notes, isWanted: IsWanted): Required<RecordReading> {
  const turn = new Turn();
  return {
    tell,
    limit: (found) => {
      const { sources, leftOut } = newestSources(found, servedRecordMegabytesMax * 1024 * 1024);
      if (leftOut > 0) tell(sentences.recordBytesLeftOut(leftOut, servedRecordMegabytesMax));
      return { sources, leftOut: 0 };
    },
    pause: async () => {
      if (!isWanted()) throw new UserError(sentences.questionCancelled());
      if (turn.isLong) await turn.next();
    },
  };
}

/** True when there is a record file of any time. */
export function hasRecords({ env }: Pick<Io, "env">): boolean {
  const folder = stateFolder(env);
  return folder !== undefined && machineSources(folder, -Infinity).sources.length > 0;
}
