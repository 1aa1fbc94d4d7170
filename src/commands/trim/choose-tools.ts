import { type ConfiguredEntry, countWordsBeforeServer } from "#clients/configured-entries.ts";
import type { ClientId } from "#clients/ids.ts";
import { findLaunchRule } from "#clients/launch-rules.ts";
import { computeSavedTokens, findUnusedTools } from "#history/reports/advice/unused-tools.ts";
import type { ServerUsage } from "#history/reports/advice/session-usage.ts";
import { dayMs } from "#history/reports/calendar.ts";
import { describePeriod } from "#history/reports/time-range.ts";
import type { Io } from "#kit/io.ts";
import { nameCharactersMax } from "#kit/limits.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import { Teller } from "#kit/text/teller.ts";
import { escapeUnsafe } from "#kit/text/unsafe-text.ts";
import { isHiddenTool, type TrimRules } from "#lock/hidden-tools.ts";
import { priceCall, type TokenPrices } from "#records/money/price-book.ts";
import type { TrimEntry } from "#screens/renderers/documents/settings/trim.ts";
import { formatPeriod } from "#screens/renderers/documents/shared-texts.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { findDefaultModel } from "#tokens/cost/client-models.ts";
import type { UnusedSummary } from "#records/summary.ts";
import { openPrices } from "../price-options.ts";
import { readAdvice } from "../report/analysis.ts";
import { openTimeZone, resolveRange } from "../report/usage.ts";
import { parseTrimRules } from "../run/options.ts";
import { listHidden, writeHideOption } from "../wrap/change-entry-options.ts";
import { findConfiguredLimits, resolveEntry } from "../wrap/configured-limits.ts";
import type { Selection } from "../wrap/options.ts";

export type TrimOptions = Selection & {
  readonly action: "propose" | "apply" | "undo";
  readonly tools: readonly string[];
  readonly since: string | undefined;
  readonly sessionsMin: number;
};

export type Study = {
  readonly options: TrimOptions;
  readonly io: Io;
  readonly period: string;
  /** The length of the period; may be a fraction. */
  readonly months: number;
  readonly pricesOrigin: string | undefined;
  readonly findPrices: (model: string | undefined) => TokenPrices | undefined;
  readonly isEstimated: boolean;
  readonly listUsages: (clients: readonly string[]) => readonly ServerUsage[];
  /** Counts the clients whose settings have a server with this name. */
  readonly countClients: (server: string) => number;
  readonly adviceByEntry: WeakMap<ConfiguredEntry, EntryAdvice>;
};

const periodDaysDefault = 30;

const daysPerMonth = 30;

export async function studyRecords(options: TrimOptions, io: Io, nowMs: number): Promise<Study> {
  const zone = openTimeZone(undefined);
  const raw = { since: options.since, until: undefined };
  const range = resolveRange(raw, periodDaysDefault, zone, nowMs);
  const fold = await readAdvice([], { range, zone, nowMs }, io, new Teller(io.stderr).tell);
  const usagesByClients = new Map<string, readonly ServerUsage[]>();
  const prices = await openPrices({ isCosted: true, priceFile: undefined }, undefined);
  const byServer = Map.groupBy(findConfiguredLimits(io), ({ server }) => server);
  return {
    options,
    io,
    period: formatPeriod({ ...describePeriod(range, zone), timezone: zone.name }),
    months: Math.ceil((nowMs - range.fromMs) / dayMs) / daysPerMonth,
    pricesOrigin: prices?.origin,
    findPrices: (model) =>
      model === undefined ? undefined : prices?.find(model, new Date(nowMs).toISOString()),
    isEstimated: fold.listUsages().estimation?.is_estimated !== false,
    listUsages: (clients) => {
      const key = clients.join("\n");
      return usagesByClients.getOrInsertComputed(key, () => fold.listUsages({ clients }).usages);
    },
    adviceByEntry: new WeakMap(),
    countClients: (server) => new Set(byServer.get(server)?.map(({ client }) => client)).size,
  };
}

type EntryAdvice = Omit<
  TrimEntry,
  "client" | "server" | "file" | "project" | "state" | "wanted"
> & {
  readonly state: "proposed" | "unused" | "few_sessions" | "kept";
  readonly wanted: readonly (readonly [tool: string, calls: number])[];
};

export const emptyAdvice: EntryAdvice = {
  state: "few_sessions",
  reason: null,
  sessions: 0,
  tools: [],
  left: [],
  listed: 0,
  tokens_before: 0,
  tokens_after: 0,
  month_tokens: 0,
  month_usd: null,
  wanted: [],
};

const reasons = {
  configured:
    "a --hide option would replace the hide list in a config file or a variable; add the tools to that list",
  mistaken: "its options have a mistake",
} as const;

export function adviseEntry(entry: ConfiguredEntry, client: ClientId, study: Study): EntryAdvice {
  return study.adviceByEntry.getOrInsertComputed(entry, () => makeAdvice(entry, client, study));
}

function makeAdvice(entry: ConfiguredEntry, client: ClientId, study: Study): EntryAdvice {
  const resolved = resolveEntry(entry, study.io);
  const usage = resolved && findUsage(resolved.server, client, study);
  if (!resolved) return { ...emptyAdvice, state: "kept", reason: reasons.mistaken };
  if (!usage) return emptyAdvice;
  const rules = parseTrimRules(resolved.options);
  const { kept, left } = excludeTools(entry, usage, rules, study);
  const unusedTools = findUnusedTools(usage, study.options.sessionsMin, [...kept, ...left]);
  const isAllowed = unusedTools && mayHide(entry, unusedTools.names, rules, study.io);
  const toHide = isAllowed ? unusedTools : undefined;
  return {
    state: judgeUsage(usage, toHide, study),
    reason: isAllowed === false ? reasons.configured : null,
    sessions: usage.sessions,
    tools: [...new Set(toHide?.names)],
    left: unusedTools ? left : [],
    ...measureUsage(usage, toHide, client, study),
    wanted: [...usage.hiddenCalls].filter(([tool]) => isHiddenTool(rules, tool)),
  };
}

function judgeUsage(
  { sessions, calls, lists }: ServerUsage,
  toHide: UnusedSummary | undefined,
  { options: { sessionsMin } }: Study,
): EntryAdvice["state"] {
  if (sessions < sessionsMin) return "few_sessions";
  if (calls === 0 && lists.newest) return "unused";
  return toHide ? "proposed" : "kept";
}

function measureUsage(
  usage: ServerUsage,
  toHide: UnusedSummary | undefined,
  client: ClientId,
  { months, findPrices }: Study,
) {
  const { resident_tokens: tokens = 0, tools_total: listed = 0 } = usage.lists.newest?.list ?? {};
  const savedTokens = toHide?.tokens ?? (usage.calls === 0 ? tokens : 0);
  const monthTokens = Math.round(computeSavedTokens(usage, savedTokens) / months);
  const prices = findPrices(usage.model ?? findDefaultModel(nameClient(client)));
  return {
    listed,
    tokens_before: tokens,
    tokens_after: tokens - (toHide?.tokens ?? 0),
    month_tokens: monthTokens,
    // The price assumes that the model reads each token once, as reports assume for answers.
    month_usd: prices ? priceCall({ argumentTokens: 0, answerTokens: monthTokens }, prices) : null,
  };
}

// False if a new `--hide` option would show a tool that a config file or a variable hides: the option
// replaces their lists.
function mayHide(
  entry: ConfiguredEntry,
  tools: readonly string[],
  { hide }: TrimRules,
  io: Io,
): boolean {
  const index = (countWordsBeforeServer(entry.words) ?? 1) - 1;
  const words = entry.words.toSpliced(index, 0, ...tools.flatMap(writeHideOption));
  const after = parseTrimRules(resolveEntry({ ...entry, words }, io)?.options ?? {});
  return new Set([...hide, ...tools]).isSubsetOf(new Set(after.hide));
}

// If only one client's settings have the server, sessions under any client name are counted: some clients report names
// that we do not know.
function findUsage(
  server: string,
  client: ClientId,
  { countClients, listUsages }: Study,
): ServerUsage | undefined {
  const isShared = countClients(server) > 1;
  const names = [client, findLaunchRule(client).clientName].map(nameClient);
  return listUsages(isShared ? names : []).find((usage) => usage.server === server);
}

type ExcludedTools = {
  readonly kept: readonly string[];
  /** Uncalled tools that stay visible: `--hide` cannot contain their names, or has no room for them. */
  readonly left: readonly string[];
};

function excludeTools(
  entry: ConfiguredEntry,
  { server, lists, calledTools }: ServerUsage,
  rules: TrimRules,
  { listUsages, options: { tools } }: Study,
): ExcludedTools {
  const listedTools = new Set(lists.newest?.list.tools.map(({ name }) => name));
  const calledAnywhere = new Set(
    listUsages([])
      .filter((usage) => normalizeName(usage.server) === normalizeName(server))
      .flatMap((usage) => [...usage.calledTools, ...usage.hiddenCalls.keys()].map(normalizeName)),
  );
  const isKept = (name: string): boolean =>
    isHiddenTool(rules, name) ||
    calledAnywhere.has(normalizeName(name)) ||
    !passesPatterns(tools, name);
  const kept = [...listedTools].filter(isKept);
  const unusedTools = [...listedTools.difference(new Set(kept))].filter(
    (name) => !calledTools.has(name),
  );
  let charactersLeft = hideCharactersMax - countCharacters(listHidden(entry));
  const left = unusedTools.filter((name) => {
    const characters = countCharacters([name]);
    if (!canBeHideOption(name) || characters > charactersLeft) return true;
    charactersLeft -= characters;
    return false;
  });
  return { kept, left };
}

// Some clients log names as their models see them, with some characters replaced.
function normalizeName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]/g, "_");
}

// Windows allows twice as many characters for a whole command line.
export const hideCharactersMax = 16_000;

function countCharacters(tools: readonly string[]): number {
  return tools.flatMap(writeHideOption).reduce((sum, word) => sum + word.length + 1, 0);
}

// Rejects wildcards, because they would match other tools as well. Also rejects characters that clients or their shells
// would expand.
function canBeHideOption(name: string): boolean {
  const isPlain = /^[\p{L}\p{M}\p{N}_./:=@+-]+$/u.test(name) && escapeUnsafe(name) === name;
  // A name of the maximum length may have been cut off.
  return isPlain && name.length < nameCharactersMax;
}
