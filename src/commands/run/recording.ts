import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { programMark } from "#kit/os/own-executable.ts";
import { Ledgers } from "#records/ledger.ts";
import type { Summary } from "#records/summary.ts";
import { createSink, type Sink } from "#state/sinks/index.ts";
import { PriceCache, priceCacheFile } from "#state/storage/price-cache.ts";
import type { Tell } from "#kit/text/teller.ts";
import { version } from "#kit/version.ts";
import { openPrices } from "../price-options.ts";
import type { MeteringOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
import { newRecordFile } from "./record-target.ts";
import { RunningSummary } from "./running-summary.ts";

/** Lost so far; at the end with those that wait and will hardly be written. */
type LossCount = (isEnd: boolean) => number;

/** Divides a sink's losses among its sessions: each loss is one session's. */
export class RecordLosses {
  readonly #sink: Pick<Sink, "dropped" | "waiting">;
  #counted = 0;

  constructor(sink: Pick<Sink, "dropped" | "waiting">) {
    this.#sink = sink;
  }

  share(): LossCount {
    let own = 0;
    return (isEnd) => {
      const { dropped, waiting } = this.#sink;
      own += dropped - this.#counted;
      this.#counted = dropped;
      return own + (isEnd ? waiting : 0);
    };
  }
}

export type Recording = {
  readonly ledgers: Ledgers;
  readonly sink: Sink;
  readonly losses: RecordLosses;
  readonly running: RunningSummary;
  readonly prices: PriceCache;
  readonly listPrices: PriceBook | undefined;
};

export type SessionResult = {
  readonly summaries: readonly Summary[];
  readonly recordsPath: string | undefined;
  readonly droppedRecords: number;
  readonly foreignLines: number;
};

/** `id` is a UUID; the name of a new record file contains part of it. */
export async function openRecording(
  options: MeteringOptions,
  { namedFile, namedPrices }: Preparation,
  io: Pick<Io, "env" | "stderr"> & { readonly id: string },
  tell: Tell,
): Promise<Recording> {
  const listPrices = await openPrices(options, namedPrices);
  const ledgers = new Ledgers(listPrices);
  const { env, id: sessionId } = io;
  const recordFile =
    namedFile ?? newRecordFile({ isSynced: options.isLogSynced, sessionId, env }, tell);
  const sink = createSink(options.log, { stderr: io.stderr, recordFile: () => recordFile });
  return {
    ledgers,
    sink,
    losses: new RecordLosses(sink),
    running: new RunningSummary(options, ledgers),
    prices: pricesFor(options, env),
    listPrices,
  };
}

export function resultOf({ ledgers, sink }: Recording, foreignLines: number): SessionResult {
  const { path: recordsPath, dropped, waiting } = sink;
  const droppedRecords = dropped + waiting;
  return { summaries: ledgers.summarize(), recordsPath, droppedRecords, foreignLines };
}

/** A user who wants no records wants no cache of them either. */
function pricesFor({ log }: MeteringOptions, env: Io["env"]): PriceCache {
  return new PriceCache(log === "off" ? undefined : priceCacheFile(env), programMark(version));
}
