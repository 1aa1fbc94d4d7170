import { requireStateFolder, locateSessions } from "#state/storage/folders.ts";
import { existsSync } from "node:fs";
import { exitCodes } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { makeFileWriter } from "#kit/os/write-file.ts";
import type { FileFacts } from "#state/storage/live/session-files.ts";
import { SessionFollower, followCheckMs } from "#state/storage/live/session-follower.ts";
import { Teller } from "#kit/text/teller.ts";
import type { Output } from "../output/output-options.ts";
import { mayColor } from "#kit/os/standard-streams.ts";
import type { CallRecord, MeterRecord } from "#records/record.ts";
import { formatCallLine, formatCallLineHeads } from "#screens/renderers/call-line.ts";
import { quotedCharactersMax } from "#kit/limits.ts";
import { makeSafeName, stringifySafely } from "#kit/text/unsafe-text.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import { commandSentences } from "../sentences.ts";

export type TailOptions = Output<"table" | "json"> & {
  readonly servers: readonly string[];
  readonly tools: readonly string[];
  readonly lines: number;
};

export async function tail(options: TailOptions, io: Io): Promise<Ending> {
  const state = requireStateFolder(io.env, commandSentences.sessionsHomeMissing());
  const folder = locateSessions(state);
  const { output } = options;
  const stdout = output === undefined ? io.stdout : makeFileWriter(output);
  const printer = new CallPrinter(options, { stdout, env: io.env });
  const lastCalls = collectLastCalls(options.lines);
  let take = lastCalls.take;
  const follower = new SessionFollower(folder, (record, context, isNew) => {
    if (printer.isWanted(record)) take({ record, context, isNew });
  });
  try {
    if (!existsSync(folder)) new Teller(io.stderr).tell(tailSentences.noSessionsYet(folder));
    const files = follower.start();
    lastCalls.readFrom(files, (path) => follower.read(path));
    if (options.lines > 0 && lastCalls.listCalls().length === 0) tellUnmatched(options, io);
    await printer.printHeads();
    for (const call of lastCalls.listCalls()) printer.print(call);
    take = (call) => {
      if (call.isNew) printer.print(call);
    };
    await waitForReaderToLeave(stdout);
  } finally {
    follower.close();
  }
  return { code: exitCodes.ok };
}

function tellUnmatched({ servers, tools }: TailOptions, { stderr }: Io): void {
  const names = [...servers, ...tools].map((name) => makeSafeName(name, quotedCharactersMax));
  if (names.length > 0) new Teller(stderr).tell(tailSentences.noCallYet(names.join('", "')));
}

export type FollowedCall = {
  readonly record: CallRecord;
  readonly context: { readonly tokens: number; readonly share: number | undefined };
  /** True if the call was recorded after the follower started. */
  readonly isNew: boolean;
};

type LastCalls = {
  readonly take: (call: FollowedCall) => void;
  /** Expects the most recently changed file first. Stops when no further file can have a call to print. */
  readonly readFrom: (files: readonly FileFacts[], read: (path: string) => void) => void;
  readonly listCalls: () => readonly FollowedCall[];
};

export function collectLastCalls(count: number): LastCalls {
  let old: FollowedCall[] = [];
  const fresh: FollowedCall[] = [];
  const keepNewest = (): void => {
    old = old.toSorted(compareTimes).slice(Math.max(0, old.length - count));
  };
  return {
    take: (call) => {
      const { tokens, share } = call.context;
      // Copies the context, because the follower changes it with the next call of the session.
      (call.isNew ? fresh : old).push({ ...call, context: { tokens, share } });
      if (old.length > 2 * count + unsortedCallsMax) keepNewest();
    },
    readFrom: (files, read) => {
      if (count === 0) return;
      for (const { path, changedMs } of files) {
        const [oldest] = old;
        const hasEnough = old.length >= count && oldest !== undefined;
        if (hasEnough && Date.parse(oldest.record.ts) > changedMs) return;
        read(path);
        keepNewest();
      }
    },
    listCalls: () => [...old, ...fresh.toSorted(compareTimes)],
  };
}

const unsortedCallsMax = 1_000;

function compareTimes(a: FollowedCall, b: FollowedCall): number {
  return Date.parse(a.record.ts) - Date.parse(b.record.ts);
}

async function waitForReaderToLeave(stdout: Io["stdout"]): Promise<void> {
  while (stdout.isAbandoned !== true) await Bun.sleep(followCheckMs);
}

class CallPrinter {
  readonly #options: TailOptions;
  readonly #stdout: Io["stdout"];
  readonly #color: boolean;
  #columns: number | undefined;
  #day = findToday();

  constructor(options: TailOptions, { stdout, env }: Pick<Io, "stdout" | "env">) {
    this.#options = options;
    this.#stdout = stdout;
    this.#color = mayColor(stdout, env);
  }

  isWanted(record: MeterRecord): record is CallRecord {
    if (record.type !== "call") return false;
    const { servers, tools } = this.#options;
    return (
      passesPatterns(servers, record.server) && passesPatterns(tools, record.tool ?? record.method)
    );
  }

  async printHeads(): Promise<void> {
    const { isTerminal } = this.#stdout;
    if (!this.#options.isWide) this.#columns = await this.#stdout.measureColumns();
    if (isTerminal && this.#options.format !== "json")
      this.#stdout.write(formatCallLineHeads({ columns: this.#columns }));
  }

  print({ record, context }: FollowedCall): void {
    if (this.#options.format === "json") {
      this.#stdout.write(`${stringifySafely(record)}\n`);
      return;
    }
    const [day] = formatLocalTime(record.ts);
    // The day gets its own line, because call lines with a day would exceed 80 columns.
    if (this.#stdout.isTerminal && day !== this.#day) this.#stdout.write(`${day}\n`);
    this.#day = this.#stdout.isTerminal ? day : findToday();
    const line = { color: this.#color, columns: this.#columns, formatLocalTime };
    this.#stdout.write(formatCallLine({ call: record, context }, { ...line, today: this.#day }));
  }
}

function findToday(): string {
  return formatLocalTime(new Date().toISOString())[0];
}

function formatLocalTime(ts: string): readonly [day: string, time: string] {
  const date = new Date(ts);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(padTwoDigits);
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(padTwoDigits);
  return [day.join("-"), time.join(":")];
}

function padTwoDigits(number: number): string {
  return String(number).padStart(2, "0");
}

export const tailSentences = {
  noSessionsYet: (folder: string) => `Waiting for the first session in ${folder}`,
  noCallYet: (names: string) => `No call in the newest records matches "${names}"; waiting for one`,
} as const;
