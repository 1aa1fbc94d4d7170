import { statSync } from "node:fs";
import { setBounded, nameCharactersMax } from "#kit/limits.ts";
import { attempt, exitCodes, tryParseJson, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import type { ChunkReader } from "#kit/os/child.ts";
import { sha256 } from "#kit/os/hash.ts";
import { takeChunks } from "#kit/os/open-file.ts";
import { makeBuildId } from "#kit/os/current-executable.ts";
import { raceTimeout } from "#kit/os/race-timeout.ts";
import { isatty, mayColor, openStdin } from "#kit/os/standard-streams.ts";
import { version } from "#kit/version.ts";
import type { CostRange, NamedPrices, TokenPrices } from "#records/money/price-book.ts";
import { StatusFold } from "#records/status-sums.ts";
import { renderStatusLine } from "#screens/renderers/status-line.ts";
import { findStateFolder, locateSessions } from "#state/storage/folders.ts";
import { findMarkedFiles, type MarkedFiles } from "#state/storage/live/session-files.ts";
import { JsonLines } from "#state/storage/json-lines.ts";
import { readString, isObject, readMember } from "#wire/json.ts";
import { openPrices, type PriceOptions, readNamedPrices } from "../price-options.ts";
import { join } from "node:path";
import { readCacheFile, writeCacheFile } from "#state/storage/cache-file.ts";

export type StatusLineOptions = PriceOptions & { readonly template: string };

const terminalRejected = `statusline reads the JSON that Claude Code passes to a status line; see "mcp-meter statusline --help"`;

export async function printStatusLine(options: StatusLineOptions, io: Io): Promise<Ending> {
  const namedPrices = await readNamedPrices(options);
  if (isatty(0)) throw new UserError(terminalRejected);
  try {
    const input = await readInput(openStdin());
    const line = await makeLine({ options, namedPrices, input }, io.env);
    if (line !== "") io.stdout.write(`${line}\n`);
  } catch {
    // The failure is not reported, because Claude Code shows no stderr.
  }
  return { code: exitCodes.ok };
}

// Generous limits: Claude Code writes about a kilobyte, without delay.
export const statusInputBytesMax = 1024 * 1024;
export const statusInputMaxMs = 1_000;

/** Returns as soon as the text is complete JSON, because the client may keep the pipe open. */
export async function readInput(reader: ChunkReader): Promise<unknown> {
  const untilMs = performance.now() + statusInputMaxMs;
  let remainingMs = statusInputMaxMs;
  let text = "";
  const decoder = new TextDecoder();
  while (remainingMs > 0) {
    const { value } = await raceTimeout(reader.read(), remainingMs, () => ({ value: undefined }));
    if (!value || text.length + value.length > statusInputBytesMax) return undefined;
    text += decoder.decode(value, { stream: true });
    const input = tryParseJson(text);
    if (input !== undefined) return input;
    remainingMs = untilMs - performance.now();
  }
  return undefined;
}

type LineRequest = {
  readonly options: StatusLineOptions;
  readonly namedPrices: NamedPrices | undefined;
  readonly input: unknown;
};

async function makeLine(
  { options, namedPrices, input }: LineRequest,
  env: Io["env"],
): Promise<string> {
  const state = findStateFolder(env);
  const records = state === undefined ? undefined : findRecords(state, input, env);
  if (state === undefined || !records || records.paths.length === 0) return "";
  const book = namedPrices && (await openPrices(options, namedPrices));
  const fold = new StatusFold({
    model: readName(input, "model", "id"),
    since: records.since,
    findToolPrice: (tool) => book?.findToolPrice(tool) ?? 0,
  });
  const lines = { take: (value: unknown) => fold.add(value), skip: () => undefined };
  for (const path of records.paths) {
    const reader = new JsonLines(lines);
    // A file may be removed meanwhile.
    await takeChunks(path, (chunk) => reader.push(chunk)).catch(() => undefined);
    reader.end();
  }
  const cost = book
    ? fold.price((model, ts) => book.find(model, ts))
    : await priceThroughCache(fold, options, state);
  const { template } = options;
  const color = mayColor({ isTerminal: true }, env);
  return renderStatusLine(
    { ...fold.summarize(), cost, isComplete: records.isComplete },
    { template, color },
  );
}

// These limits bound the client's wait: listing the files of a day takes 0.1 ms, and reading a megabyte 4 ms.
export const statusDaysMax = 31;
export const statusBytesMax = 32 * 1024 * 1024;

const limits = { daysMax: statusDaysMax, bytesMax: statusBytesMax } as const;

// Calls before `since` do not count. It is empty if all calls count.
type FoundRecords = MarkedFiles & { readonly since: string };

function findRecords(state: string, input: unknown, env: Io["env"]): FoundRecords | undefined {
  const id = readName(input, "session_id");
  if (id === undefined) return undefined;
  const sessions = locateSessions(state);
  const found = findMarkedFiles(sessions, { session: sha256(id) }, limits);
  if (found.paths.length > 0) return { ...found, since: "" };
  // After /clear, the input has a new session id. Running servers still write to files named after the old id.
  const pid = env["CLAUDE_PID"] ?? "";
  const beganMs = attempt(() => statSync(readString(input, "transcript_path") ?? "").birthtimeMs);
  if (!/^\d{1,10}$/.test(pid) || beganMs === undefined) return undefined;
  return {
    ...findMarkedFiles(sessions, { process: pid }, { ...limits, sinceMs: beganMs }),
    since: new Date(beganMs).toISOString(),
  };
}

function readName(input: unknown, first: string, second?: string): string | undefined {
  const name = readString(input, first, second);
  return name !== undefined && name.length <= nameCharactersMax ? name : undefined;
}

function makePriceKey(model: string, ts: string): string {
  return `${ts.slice(0, "2026-11-22".length)} ${model}`;
}

async function priceThroughCache(
  fold: StatusFold,
  options: StatusLineOptions,
  state: string,
): Promise<CostRange | null> {
  if (!options.isCosted) return null;
  const build = makeBuildId(version);
  const cachedPrices = readCachedPrices(state, build);
  let areAllCached = true;
  const cachedCost = fold.price((model, ts) => {
    const found = cachedPrices.get(makePriceKey(model, ts));
    areAllCached &&= found !== undefined;
    return found ?? undefined;
  });
  if (areAllCached) return cachedCost;
  const book = await openPrices(options, undefined);
  const cost = fold.price((model, ts) => {
    const found = book?.find(model, ts);
    setBounded(cachedPrices, makePriceKey(model, ts), found ?? null, cachedPricesMax);
    return found;
  });
  writeCachedPrices(state, build, cachedPrices);
  return cost;
}

// Enough for a month-long conversation that uses several models a day.
export const cachedPricesMax = 200;

const cacheBytesMax = 256 * 1024;

const priceFormat = "list-prices/1";

/** By model and day; null for a model without a price. */
export type CachedPrices = Map<string, TokenPrices | null>;

// Another build may have other list prices.
export function readCachedPrices(state: string, build: string): CachedPrices {
  const value = readCacheFile(locatePriceCache(state), cacheBytesMax);
  const prices = readMember(value, "prices");
  const isUsable = readMember(value, "format") === priceFormat && isObject(prices);
  if (!isUsable || readMember(value, "version") !== build) return new Map();
  const entries = Object.entries(prices).slice(-cachedPricesMax);
  return new Map(entries.flatMap(([key, found]) => (isPrices(found) ? [[key, found]] : [])));
}

export function writeCachedPrices(state: string, build: string, prices: CachedPrices): void {
  const newest = Object.fromEntries([...prices].slice(-cachedPricesMax));
  writeCacheFile(locatePriceCache(state), { format: priceFormat, version: build, prices: newest });
}

function locatePriceCache(state: string): string {
  return join(state, "list-prices.json");
}

const priceMembers = ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] as const;

function isPrices(value: unknown): value is TokenPrices | null {
  return value === null || priceMembers.every((member) => isAmount(readMember(value, member)));
}

function isAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
