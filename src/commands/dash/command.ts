import { cacheMetrics } from "./cached-metrics.ts";
import { requireStateFolder, locateImports, locateSessions } from "#state/storage/folders.ts";
import { findConfiguredLimits } from "../wrap/configured-limits.ts";
import { listPageAssets, type DashServer, startDash } from "#screens/dash/server/server.ts";
import { periods, showsCosts } from "#screens/dash/view.ts";
import { buildView } from "#screens/dash/views/index.ts";
import { UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { GarbageCollector } from "#state/storage/read-records.ts";
import { listDayFolders, listRecordFiles } from "#state/storage/live/session-files.ts";
import { SessionFollower } from "#state/storage/live/session-follower.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { openPrices, readNamedPrices, type PriceOptions } from "../price-options.ts";
import { openTimeZone } from "../report/usage.ts";
import {
  createCounterFaultReporter,
  PageCounters,
  PageNotes,
  PageLocks,
  PagePrices,
  dashSentences,
  fileCheckIntervalMs,
  type LockOption,
  type FileStamp,
  readFileStamp,
} from "./page-data.ts";
import { parseSince, LiveModel, fillModel } from "./live-model.ts";
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { startProgram } from "#kit/os/run-program.ts";
import { catchErrorCode } from "#kit/os/file-errors.ts";
import { replaceFile } from "#kit/os/write-file.ts";
import { findRecordSourcesBelow } from "#state/storage/find-record-files.ts";
import { dashPauseFactor } from "#screens/dash/server/hub.ts";

export type DashOptions = PriceOptions & {
  readonly port: number;
  readonly opensBrowser: boolean;
  readonly since: string;
  readonly isSinceExplicit: boolean;
  readonly timezone: string | undefined;
  readonly locks: readonly LockOption[];
};

export async function serveDash(options: DashOptions, io: Io): Promise<Ending> {
  const folder = requireStateFolder(io.env);
  const priceOptions = { ...options, isCosted: true };
  const namedPrices = await readNamedPrices(priceOptions);
  const prices = new PagePrices(() => openPrices(priceOptions, namedPrices));
  const notes = new PageNotes();
  const fileChanges = new FileChangeDetector(folder);
  const live = new LiveModel(openTimeZone(options.timezone), {
    chooseFirstDay: parseSince(options.since),
    nowMs: Date.now(),
    async read(model) {
      fileChanges.remember();
      await fillModel(model, { folder, notes, prices });
      // Frees the garbage of reading before the next view makes more.
      Bun.gc(true);
    },
  });
  const { tell } = new Teller(io.stderr);
  const server = servePage({ options, io, live, prices, notes, fileChanges, tell });
  io.stdout.write(`${server.url}\n`);
  tell(dashSentences.dashServing());
  if (options.opensBrowser)
    await openPage(server.url, { folder, path: io.env["PATH"], platform: io.platform, tell });
  const follower = new SessionFollower(locateSessions(folder), live.take);
  try {
    follower.start();
    await live.start();
    await server.ended;
  } finally {
    follower.close();
    server.close();
  }
  return { code: 0 };
}

// Detects removed, replaced and truncated files, and changed imports. `SessionFollower` follows the files that grow.
export class FileChangeDetector {
  readonly #folder: string;
  #sessions = new Map<string, FileStamp>();
  #imports = "";
  #nextCheckMs = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  // Call before reading the files, so that a change during the reading is detected.
  remember(): void {
    this.#sessions = this.#stampSessions();
    this.#imports = this.#stampImports();
  }

  hasChanged(nowMs: number): boolean {
    if (nowMs < this.#nextCheckMs) return false;
    const startedMs = performance.now();
    const current = this.#stampSessions();
    const hasChanged =
      this.#stampImports() !== this.#imports ||
      [...this.#sessions].some(([path, stamp]) => !hasOnlyGrown(stamp, current.get(path)));
    if (!hasChanged) this.#sessions = current;
    const tookMs = performance.now() - startedMs;
    this.#nextCheckMs = nowMs + Math.max(fileCheckIntervalMs, tookMs * dashPauseFactor);
    return hasChanged;
  }

  #stampSessions(): Map<string, FileStamp> {
    const days = listDayFolders(locateSessions(this.#folder));
    const paths = days.flatMap((day) => listRecordFiles(day));
    return new Map(paths.flatMap((path) => readFileStamp(path)));
  }

  #stampImports(): string {
    const { sources } = findRecordSourcesBelow(locateImports(this.#folder), -Infinity);
    return JSON.stringify(sources.flatMap(({ file }) => readFileStamp(file)));
  }
}

function hasOnlyGrown(before: FileStamp, current: FileStamp | undefined): boolean {
  return current !== undefined && current.inode === before.inode && current.bytes >= before.bytes;
}

// The file that opens the page is kept this long, because a browser takes seconds to start.
const openingFileMs = 60_000;

function chooseOpener(platform: string): readonly string[] {
  if (platform === "darwin") return ["open"];
  return platform === "win32" ? ["cmd", "/c", "start", ""] : ["xdg-open"];
}

type PageOpening = {
  readonly folder: string;
  readonly path: string | undefined;
  readonly platform: string;
  readonly tell: Tell;
};

// Opens the page through a private file: all users can read command lines, and `url` contains the page's token.
export async function openPage(
  url: string,
  { folder, path, platform, tell }: PageOpening,
): Promise<void> {
  const file = join(folder, "open-dash.html");
  const text = `<!doctype html><title>mcp-meter</title><meta http-equiv="refresh" content="0; url=${Bun.escapeHTML(url)}">`;
  const fault = writePrivately(file, text);
  if (fault !== undefined) return tell(dashSentences.dashNotOpened(file, fault));
  const [program = "", ...args] = chooseOpener(platform);
  const programPath = Bun.which(program, path === undefined ? {} : { PATH: path });
  try {
    if (programPath === null) tell(dashSentences.dashBrowserMissing(program));
    else await startProgram([programPath, ...args, file]);
  } catch {
    tell(dashSentences.dashBrowserMissing(program));
  }
  setTimeout(() => rmSync(file, { force: true }), openingFileMs).unref();
}

// Also replaces the file that a killed `dash` left. On failure, returns the reason.
function writePrivately(file: string, text: string): string | undefined {
  const fault = catchErrorCode(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    rmSync(file, { force: true });
  });
  return fault ?? replaceFile(file, text);
}

const dashGarbageBytesMax = 6 * 1024 * 1024;

// During the first reading, pages get a view only this often: otherwise, making views would take a third of the time.
const firstReadingViewMs = 1_000;

// The time between views if no record arrives. Without these views, a silent session would still be shown as live.
const idleViewMs = 5_000;

type PageContext = {
  readonly options: DashOptions;
  readonly io: Io;
  readonly live: LiveModel;
  readonly prices: PagePrices;
  readonly notes: PageNotes;
  readonly fileChanges: FileChangeDetector;
  readonly tell: Tell;
};

export function formatFragment(
  options: Pick<DashOptions, "since" | "isSinceExplicit" | "isCosted">,
) {
  const { since, isSinceExplicit } = options;
  const period = periods.find((known) => known === since) ?? "all";
  const query = [
    ...(isSinceExplicit ? [`period=${period}`] : []),
    ...(options.isCosted ? ["cost=on"] : []),
  ];
  return query.length === 0 ? "" : `#/?${query.join("&")}`;
}

function describeError(error: unknown): string {
  return error instanceof UserError ? error.message : String(error);
}

// Making a view leaves about this much garbage for each call in `live.model`.
const garbageBytesPerCall = 100;

function servePage(context: PageContext): DashServer {
  const { options, io, live, prices, notes, fileChanges, tell } = context;
  const assets = listPageAssets();
  if (assets.size === 0) throw new UserError(dashSentences.dashPageMissing());
  const garbage = new GarbageCollector(dashGarbageBytesMax);
  const reportFault = createCounterFaultReporter(notes, tell);
  const counters = new PageCounters(io, reportFault);
  const locks = new PageLocks(options.locks, (fault) => notes.setCurrent("lockFault", fault));
  return startDash(options.port, {
    assets,
    renderMetrics: cacheMetrics(io, notes, reportFault),
    fragment: formatFragment(options),
    reportFailure: (error) => tell(dashSentences.dashRequestFailed(describeError(error))),
    makeView: (choice) => {
      const nowMs = Date.now();
      if (showsCosts(choice)) void prices.load();
      // Reading makes garbage too, so views during the first reading begin with a collection.
      const readingGarbageBytes = live.isFirstReading ? dashGarbageBytesMax : 0;
      garbage.add(live.model.calls.size * garbageBytesPerCall + readingGarbageBytes);
      return buildView(live.model, choice, {
        nowMs,
        notes: notes.all,
        counters: counters.all,
        locks: locks.all,
        findLimits: () => findConfiguredLimits(io),
        prices: prices.book,
      });
    },
    readVersion: (screens) => {
      const nowMs = Date.now();
      locks.refresh(nowMs);
      if (screens.has("budgets") || screens.has("tool")) counters.refresh(nowMs);
      const haveFilesChanged = (): boolean => fileChanges.hasChanged(nowMs);
      live.refresh(nowMs, haveFilesChanged).catch((error: unknown) => notes.tell(String(error)));
      if (live.isFirstReading) return `${Math.floor(nowMs / firstReadingViewMs)}`;
      const clock = Math.floor(nowMs / idleViewMs);
      const versions = [live, notes, counters, locks].map(({ version }) => version);
      return [...versions, prices.book !== undefined, clock].join(" ");
    },
  });
}
