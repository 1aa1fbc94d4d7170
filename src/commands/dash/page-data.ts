import type { CounterStatus } from "#meter/budgets/counter.ts";
import type { Io } from "#kit/io.ts";
import type { PriceBook } from "#records/money/price-book.ts";
import { tryReadCounters } from "../counters/read-counters.ts";
import type { Tell } from "#kit/text/teller.ts";
import { pluralize } from "#kit/text/numbers.ts";
import { lowercaseFirst } from "#kit/sentences.ts";
import { statSync } from "node:fs";
import type { ServerLock } from "#screens/dash/views/scope.ts";
import { attempt, recover, UserError } from "#kit/errors.ts";
import { readLockFile } from "#state/storage/lock-file.ts";
import { commandSentences } from "../sentences.ts";

export const counterReadIntervalMs = 1_000;

export class PageCounters {
  readonly #io: Pick<Io, "env" | "platform">;
  readonly #report: ReportReadFault;
  #all: readonly CounterStatus[] | undefined;
  #version = 0;
  #readMs = -Infinity;
  #isReading = false;

  constructor(io: Pick<Io, "env" | "platform">, report: ReportReadFault) {
    this.#io = io;
    this.#report = report;
  }

  get all(): readonly CounterStatus[] | undefined {
    return this.#all;
  }

  get version(): number {
    return this.#version;
  }

  refresh(nowMs: number): void {
    if (this.#isReading || nowMs - this.#readMs < counterReadIntervalMs) return;
    this.#readMs = nowMs;
    this.#isReading = true;
    void this.read().finally(() => {
      this.#isReading = false;
    });
  }

  async read(): Promise<void> {
    const { counters, fault } = await tryReadCounters(this.#io);
    this.#report(fault);
    if (fault !== undefined) return;
    if (JSON.stringify(counters) !== JSON.stringify(this.#all)) this.#version += 1;
    this.#all = counters;
  }
}

// `fault` is undefined after a successful read.
export type ReportReadFault = (fault: string | undefined) => void;

// The page shows each new fault. The terminal shows only the beginning and the end of an outage.
export function createCounterFaultReporter(
  notes: Pick<PageNotes, "setCurrent">,
  tell: Tell,
): ReportReadFault {
  let previous: string | undefined;
  return (fault) => {
    if (previous === fault) return;
    notes.setCurrent("counterFault", fault);
    if (fault === undefined) tell(dashSentences.dashCountersReadable());
    else if (previous === undefined) tell(dashSentences.dashCountersUnreadable(fault));
    previous = fault;
  };
}

// The price list takes 20 MB, so it is loaded only when a page first shows costs.
export class PagePrices {
  readonly #load: () => Promise<PriceBook | undefined>;
  book: PriceBook | undefined;
  #isRequested = false;

  constructor(load: () => Promise<PriceBook | undefined>) {
    this.#load = load;
  }

  async load(): Promise<void> {
    if (this.#isRequested) return;
    this.#isRequested = true;
    this.book = await this.#load();
  }
}

export const fileCheckIntervalMs = 2_000;

export type LockOption = { readonly server: string | undefined; readonly file: string };

export class PageLocks {
  readonly #named: readonly LockOption[];
  readonly #report: ReportReadFault;
  #all: readonly ServerLock[];
  #stamps: string;
  #version = 0;
  #checkedMs = 0;

  constructor(named: readonly LockOption[], report: ReportReadFault) {
    this.#named = named;
    this.#report = report;
    this.#stamps = readFileStamps(named);
    this.#all = named.map(readLock);
  }

  get all(): readonly ServerLock[] {
    return this.#all;
  }

  get version(): number {
    return this.#version;
  }

  refresh(nowMs: number): void {
    if (nowMs - this.#checkedMs < fileCheckIntervalMs) return;
    this.#checkedMs = nowMs;
    const stamps = readFileStamps(this.#named);
    if (stamps === this.#stamps) return;
    this.#stamps = stamps;
    recover(
      () => {
        this.#all = this.#named.map(readLock);
        this.#version += 1;
        this.#report(undefined);
      },
      ({ message }) => this.#report(message),
    );
  }
}

function readLock({ file, server }: LockOption): ServerLock {
  const lock = readLockFile(file);
  if (!lock) throw new UserError(commandSentences.lockMissing(file));
  return { file, server: server ?? null, lock };
}

function readFileStamps(named: readonly LockOption[]): string {
  return JSON.stringify(named.flatMap(({ file }) => readFileStamp(file)));
}

export type FileStamp = {
  readonly inode: number;
  readonly bytes: number;
  readonly changedMs: number;
};

export function readFileStamp(path: string): [path: string, stamp: FileStamp][] {
  return attempt(() => {
    const { ino: inode, size: bytes, mtimeMs: changedMs } = statSync(path);
    return [[path, { inode, bytes, changedMs }]];
  }, []);
}

export const dashNotesMax = 20;

type CurrentNote = "progress" | "counterFault" | "lockFault";

export class PageNotes {
  readonly #sentences = new Set<string>();
  #readingNotes: readonly string[] = [];
  readonly #current: { [note in CurrentNote]: string | undefined } = {
    progress: undefined,
    counterFault: undefined,
    lockFault: undefined,
  };
  #version = 0;

  get version(): number {
    return this.#version;
  }

  get all(): readonly string[] {
    const current = Object.values(this.#current).filter((sentence) => sentence !== undefined);
    return [...new Set([...current, ...this.#readingNotes, ...this.#sentences])];
  }

  readonly tell = (sentence: string): void => {
    if (this.#sentences.has(sentence) || this.#sentences.size >= dashNotesMax) return;
    this.#sentences.add(sentence);
    this.#version += 1;
  };

  setCurrent(note: CurrentNote, sentence: string | undefined): void {
    this.#current[note] = sentence;
    this.#version += 1;
  }

  set readingNotes(sentences: readonly string[]) {
    this.#readingNotes = [...new Set(sentences)].slice(0, dashNotesMax);
    this.#version += 1;
  }
}

export const dashSentences = {
  dashServing: () => "Open this address in a browser on this machine; stop with Ctrl-C",
  dashPageMissing: () =>
    'This program does not contain the page; start the executable that "bun run build" creates',
  dashBrowserMissing: (program: string) =>
    `Cannot open a browser: ${program} does not start; open the address yourself`,
  dashNotOpened: (file: string, reason: string) =>
    `Cannot write ${file}, the file that opens the page: ${reason}; open the address yourself`,
  dashReading: (file: number, files: number) => `Reading records: file ${file} of ${files}`,
  dashCallsLeftOut: (calls: number) =>
    `Shown only in totals: ${pluralize(calls, "call")}; choose a later --since to show each call`,
  dashCountersUnreadable: (fault: string) =>
    `The page and its /metrics are served without fresh budget counters: ${lowercaseFirst(fault)}`,
  dashCountersReadable: () => "The budget counters can be read again",
  dashRequestFailed: (reason: string) => `Cannot answer a request from the page: ${reason}`,
} as const;
