import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { makeBuildId } from "#kit/os/current-executable.ts";
import { Ledgers } from "#records/ledger.ts";
import type { Summary } from "#records/summary.ts";
import { createSink } from "#state/sinks/index.ts";
import type { Sink } from "#state/sinks/record-queue.ts";
import { DefinitionCountCache, locateDefinitionCache } from "#state/storage/definition-cache.ts";
import type { Tell } from "#kit/text/teller.ts";
import { version } from "#kit/version.ts";
import { openPrices } from "../price-options.ts";
import type { MeteringOptions, RunOptions } from "./options.ts";
import type { Preparation } from "./preparation.ts";
import { prepareRecordFile } from "./open-record-file.ts";
import { replaceFile } from "#kit/os/write-file.ts";

/** When a session ends, unwritten records count as lost, because the process may exit before writing them. */
/** Several sessions may share a sink: a lost record counts for the session that asks first after the loss. */
export class RecordLosses {
  readonly #sink: Pick<Sink, "dropped" | "waiting">;
  #counted = 0;

  constructor(sink: Pick<Sink, "dropped" | "waiting">) {
    this.#sink = sink;
  }

  makeCounter(): (isEnd: boolean) => number {
    let lost = 0;
    return (isEnd) => {
      const { dropped, waiting } = this.#sink;
      lost += dropped - this.#counted;
      this.#counted = dropped;
      return lost + (isEnd ? waiting : 0);
    };
  }
}

export type Recording = {
  readonly ledgers: Ledgers;
  readonly sink: Sink;
  readonly losses: RecordLosses;
  readonly running: RunningSummary;
  readonly definitionCache: DefinitionCountCache;
  readonly priceBook: PriceBook | undefined;
};

export type SessionResult = {
  readonly summaries: readonly Summary[];
  readonly recordsPath: string | undefined;
  readonly droppedRecords: number;
  readonly foreignLineCount: number;
};

export async function openRecording(
  options: MeteringOptions,
  { namedFile, namedPrices }: Preparation,
  io: Pick<Io, "env" | "stderr" | "parentPid"> & { readonly id: string },
  tell: Tell,
): Promise<Recording> {
  const priceBook = await openPrices(options, namedPrices);
  const ledgers = new Ledgers(priceBook);
  const { env, parentPid, id: sessionId } = io;
  const fileOptions = { isSynced: options.isLogSynced, sessionId, parentPid, env };
  const recordFile = namedFile ?? prepareRecordFile(fileOptions, tell);
  const sink = createSink(options.log, { stderr: io.stderr, recordFile: () => recordFile });
  return {
    ledgers,
    sink,
    losses: new RecordLosses(sink),
    running: new RunningSummary(options, ledgers),
    definitionCache: openDefinitionCache(options, env),
    priceBook,
  };
}

export function collectResult(
  { ledgers, sink }: Recording,
  foreignLineCount: number,
): SessionResult {
  const { path: recordsPath, dropped, waiting } = sink;
  const droppedRecords = dropped + waiting;
  return { summaries: ledgers.summarize(), recordsPath, droppedRecords, foreignLineCount };
}

// A user who turned records off wants no cache either.
function openDefinitionCache({ log }: MeteringOptions, env: Io["env"]): DefinitionCountCache {
  return new DefinitionCountCache(
    log === "off" ? undefined : locateDefinitionCache(env),
    makeBuildId(version),
  );
}

/** Saves the summary early, in case we are killed. At the end, print-summary.ts saves it again and reports failures. */
export class RunningSummary {
  readonly #options: Pick<RunOptions, "summary" | "summaryFile">;
  readonly #ledgers: Pick<Ledgers, "summarize">;
  #render: (typeof import("#screens/renderers/index.ts"))["renderSummaries"] | undefined;
  #isDue = false;

  constructor(
    options: Pick<RunOptions, "summary" | "summaryFile">,
    ledgers: Pick<Ledgers, "summarize">,
  ) {
    this.#options = options;
    this.#ledgers = ledgers;
    // Loads the renderers before the first call, because a client may kill us milliseconds after our answer.
    if (this.#isWanted) void this.#load();
  }

  save(): void {
    const { summary: format, summaryFile } = this.#options;
    if (summaryFile === undefined || format === "off") return;
    if (!this.#render) {
      this.#isDue = true;
      return;
    }
    const summaries = this.#ledgers.summarize();
    if (!hasSession(summaries)) return;
    replaceFile(summaryFile, this.#render(format, summaries, { color: false }));
  }

  get #isWanted(): boolean {
    return this.#options.summaryFile !== undefined && this.#options.summary !== "off";
  }

  async #load(): Promise<void> {
    try {
      ({ renderSummaries: this.#render } = await import("#screens/renderers/index.ts"));
      if (this.#isDue) this.save();
    } catch {
      // At the end, print-summary.ts imports the renderers again, and the failure is reported.
    }
  }
}

export function hasSession(summaries: readonly Summary[]): boolean {
  return summaries.some(({ sessions }) => sessions > 0);
}
