import { readEstimation } from "#records/certainty.ts";
import { actionRules } from "#meter/actions/action-rules.ts";
import {
  type BreachRecord,
  type BudgetState,
  type EndRecord,
  hideRule,
  type SessionRecord,
} from "#records/record.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import { type RepeatRoom, RepeatTable } from "../repeat-table.ts";
import { CallRuns, type RefusableCalls } from "./call-runs.ts";
import {
  type DatedList,
  type DefinitionList,
  includeList,
  type KnownLists,
  mergeLists,
  noLists,
} from "../session-state.ts";
import type { ToolUsage, UsageRows } from "./tool-usage.ts";
import { countTokensToLoad } from "#tokens/cost/definitions-cost.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";

export const adviceRepeatsMax = 2;

const methodMark = "\n";

type ServerEntry = {
  hasBegun: boolean;
  readonly rows: Map<string, number>;
  lists: KnownLists;
  readonly wholeLists: Set<DatedList["list"]>;
  readonly namedTools: NamedTools[];
  readonly runs: CallRuns;
  readonly settings: SessionSettings;
  readonly hiddenCalls: Map<string, number>; // by tool
};

/** The settings of a server in a session, as far as records show them. */
type SessionSettings = {
  budgets: EndRecord["budgets"] | undefined;
  readonly breached: Map<string, number>;
  refusedRepeats: boolean;
};

// A log has no session record.
type LoggedSession = {
  readonly client: string;
  readonly estimation: SummaryEstimation;
};

export class SessionUsage {
  readonly repeats: RepeatTable;
  readonly servers = new Map<string, ServerEntry>();
  readonly #runRoom: RepeatRoom;
  #record: SessionRecord | undefined;
  #logged: LoggedSession | undefined;

  constructor(repeatRoom: RepeatRoom, runRoom: RepeatRoom) {
    this.#runRoom = runRoom;
    this.repeats = new RepeatTable(repeatRoom);
  }

  get estimation(): SummaryEstimation | null {
    return this.#record ? readEstimation(this.#record) : (this.#logged?.estimation ?? null);
  }

  get client(): string | null {
    return nameClient(this.#record?.client_name ?? this.#logged?.client ?? null);
  }

  addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
  }

  get model(): string | null {
    return this.#record?.model ?? null;
  }

  /** Milliseconds since 1970; 0 for a session known only from a log. */
  get beganMs(): number {
    return this.#record ? Date.parse(this.#record.ts) : 0;
  }

  addEnd({ server, budgets }: EndRecord): void {
    this.enterServer(server).settings.budgets = budgets;
  }

  addBreach(breach: BreachRecord): void {
    const { settings, hiddenCalls } = this.enterServer(breach.server);
    if (!breach.is_enforced) return;
    if (breach.budget === hideRule) return countHiddenCalls(hiddenCalls, breach.tool);
    if (breach.budget.startsWith(maxRepeatsPrefix)) settings.refusedRepeats = true;
    else if (breach.tool !== null && limitsAnswers(breach))
      settings.breached.set(breach.tool, breach.limit);
  }

  addLogged(logged: LoggedSession): void {
    this.#logged ??= logged;
  }

  addList(server: string, dated: DatedList): void {
    const entry = this.enterServer(server);
    entry.lists = includeList(entry.lists, dated);
    if (dated.list.is_complete) entry.wholeLists.add(dated.list);
  }

  enterServer(server: string): ServerEntry {
    const known = this.servers.get(server);
    if (known) return known;
    const runs = new CallRuns(this.#runRoom);
    const rows = new Map<string, number>();
    const entry = {
      hasBegun: false,
      rows,
      lists: noLists,
      wholeLists: new Set<DatedList["list"]>(),
      namedTools: [],
      runs,
      settings: { budgets: undefined, breached: new Map<string, number>(), refusedRepeats: false },
      hiddenCalls: new Map<string, number>(),
    };
    this.servers.set(server, entry);
    return entry;
  }
}

// A model may invent any number of names that a pattern hides.
export const hiddenToolsMax = 1_000;

function countHiddenCalls(hiddenCalls: Map<string, number>, tool: string | null, calls = 1): void {
  if (tool === null || (hiddenCalls.size >= hiddenToolsMax && !hiddenCalls.has(tool))) return;
  hiddenCalls.set(tool, (hiddenCalls.get(tool) ?? 0) + calls);
}

// Begins the budget that a breach of `--max-repeats` states.
const maxRepeatsPrefix = "max-repeats ";

function limitsAnswers({ unit, per, action }: Pick<BudgetState, "unit" | "per" | "action">) {
  const isEnforcing = Object.entries(actionRules).some(
    ([id, rules]) => id === action && rules.isEnforcing && rules.holdsAnswers,
  );
  return isEnforcing && unit === "tokens" && per === "call";
}

export function makeRowKey(method: string, tool: string | null): string {
  return method === "tools/call" && tool !== null ? tool : `${methodMark}${method}`;
}

function readTool(key: string): string | undefined {
  return key.startsWith(methodMark) ? undefined : key;
}

export type NamedTools = {
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly requests: number;
};

export type UsedTool = {
  readonly name: string;
  readonly isTool: boolean;
  readonly usage: ToolUsage;
  readonly refusable: RefusableCalls;
  /** Tokens that a budget allows a call, in the newest sessions of all clients that called it. */
  readonly limit: number | undefined;
  /** In sessions with such a budget; undefined if none had one. */
  readonly limitedUsage: ToolUsage | undefined;
};

export type ServerUsage = {
  readonly server: string;
  readonly sessions: number;
  readonly tools: readonly UsedTool[];
  readonly called: ReadonlySet<string>;
  readonly calls: number;
  /** True if the newest sessions with many identical calls refused them. */
  readonly refusesRepeats: boolean;
  readonly lists: KnownLists;
  readonly wholeLists: ReadonlySet<DefinitionList>;
  readonly namedTools: readonly NamedTools[];
  readonly knownLists: KnownLists;
  /** Only sizes by one estimator can be compared. */
  readonly listsByEstimator: readonly KnownLists[];
  readonly definitionTokens: number;
  /** Without definitions that a client loads on demand, which cost tokens only for called tools. */
  readonly residentTokens: number;
  /** As the newest session that names a model. */
  readonly model: string | null;
  /** Refused calls of hidden tools, by tool. */
  readonly hiddenCalls: ReadonlyMap<string, number>;
};

type JoinedServer = {
  sessions: number;
  readonly rows: Map<string, number[]>;
  readonly limitedRows: Set<number>;
  readonly refusable: Map<number, RefusableCalls>;
  lists: KnownLists;
  readonly listsByEstimator: Map<string, KnownLists>;
  readonly wholeLists: Set<DatedList["list"]>;
  readonly namedTools: NamedTools[];
  readonly callers: Map<string, Set<string | null>>;
  readonly settings: Map<string | null, NewestSettings>;
  definitionTokens: number;
  residentTokens: number;
  model: string | null;
  readonly hiddenCalls: Map<string, number>;
};

/** Limits that the next session of a server will have, by the settings of its client. */
export type ConfiguredLimits = {
  readonly client: string;
  readonly server: string;
  /** The name that `wrap` takes. */
  readonly entryName: string;
  readonly isRemote: boolean;
  readonly budgets: readonly Pick<BudgetState, "tool" | "limit" | "unit" | "per" | "action">[];
  readonly refusesRepeats: boolean;
};

/** Of one client. The limits are by tool; null stands for every tool. */
type NewestSettings = {
  limits: Map<string | null, number>;
  refusesRepeats: boolean | undefined;
};

export function joinServers(
  sessions: readonly SessionUsage[],
  rows: UsageRows,
  configured: readonly ConfiguredLimits[] = [],
): ServerUsage[] {
  const servers = new Map<string, JoinedServer>();
  for (const session of sessions.toSorted((a, b) => a.beganMs - b.beganMs)) {
    for (const [server, entry] of session.servers) {
      const joined = servers.get(server) ?? {
        sessions: 0,
        rows: new Map(),
        limitedRows: new Set(),
        refusable: new Map(),
        lists: noLists,
        listsByEstimator: new Map(),
        wholeLists: new Set(),
        namedTools: [],
        callers: new Map(),
        settings: new Map(),
        definitionTokens: 0,
        residentTokens: 0,
        model: null,
        hiddenCalls: new Map(),
      };
      servers.set(server, joined);
      joinEntry(joined, entry, session, rows);
    }
  }
  for (const limits of configured) addConfigured(servers.get(limits.server)?.settings, limits);
  const sorted = [...servers].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map(([server, joined]) => makeUsage(server, joined, rows));
}

function joinRows(
  { rows, limitedRows, callers }: JoinedServer,
  entry: ServerEntry,
  client: string | null,
): void {
  const limits = listLimits(entry.settings);
  for (const [key, row] of entry.rows) {
    const known = rows.get(key);
    if (known) known.push(row);
    else rows.set(key, [row]);
    if (limits.has(key) || limits.has(null)) limitedRows.add(row);
    callers.set(key, (callers.get(key) ?? new Set<string | null>()).add(client));
  }
}

function joinEntry(
  joined: JoinedServer,
  entry: ServerEntry,
  { client, estimation, model }: SessionUsage,
  usage: UsageRows,
): void {
  const { hasBegun, rows, lists, wholeLists, namedTools, runs } = entry;
  joinRows(joined, entry, client);
  const estimator = estimation?.estimator ?? "";
  for (const list of wholeLists) joined.wholeLists.add(list);
  if (hasBegun) joined.sessions += 1;
  joined.model = model ?? joined.model;
  for (const [tool, calls] of entry.hiddenCalls) countHiddenCalls(joined.hiddenCalls, tool, calls);
  joined.namedTools.push(...namedTools);
  for (const row of rows.values()) usage.clear(row, "calls_in_row");
  const countRepeat = (row: number): void => usage.add(row, "calls_in_row", 1);
  const refusable = runs.findRefusable(adviceRepeatsMax, countRepeat);
  for (const [row, calls] of refusable) joined.refusable.set(row, calls);
  const settings = joined.settings.get(client) ?? {
    limits: new Map<string | null, number>(),
    refusesRepeats: undefined,
  };
  joined.settings.set(client, settings);
  updateSettings(settings, entry.settings, refusable.size > 0);
  joined.lists = mergeLists(joined.lists, lists);
  const counted = joined.listsByEstimator.get(estimator) ?? noLists;
  joined.listsByEstimator.set(estimator, mergeLists(counted, lists));
  if (!lists.newest) return;
  joined.definitionTokens += countInContext(lists.newest.list, rows);
  joined.residentTokens += lists.newest.list.resident_tokens;
}

// A client may kill a session before its end is recorded, and then only its breaches are known.
function updateSettings(
  newest: NewestSettings,
  session: SessionSettings,
  hasRefusable: boolean,
): void {
  const { budgets, refusedRepeats } = session;
  newest.limits = new Map([...(budgets ? [] : newest.limits), ...listLimits(session)]);
  if (refusedRepeats || hasRefusable) newest.refusesRepeats = refusedRepeats;
}

function listLimits({ budgets = [], breached }: SessionSettings): Map<string | null, number> {
  const limiting = budgets.filter(limitsAnswers).map(({ tool, limit }) => [tool, limit] as const);
  return new Map([...limiting, ...breached]);
}

function addConfigured(
  settings: JoinedServer["settings"] | undefined,
  { client, budgets, refusesRepeats }: ConfiguredLimits,
): void {
  const newest = settings?.get(client);
  if (!newest) return;
  for (const { tool, limit } of budgets.filter(limitsAnswers)) newest.limits.set(tool, limit);
  if (refusesRepeats) newest.refusesRepeats = true;
}

function findLimit({ callers, settings }: JoinedServer, key: string): number | undefined {
  const limits = [...(callers.get(key) ?? [])].map((client) => {
    const known = settings.get(client)?.limits;
    return Math.min(known?.get(key) ?? Infinity, known?.get(null) ?? Infinity);
  });
  const largest = Math.max(...limits);
  return Number.isFinite(largest) ? largest : undefined;
}

function countInContext(list: DefinitionList, called: ReadonlyMap<string, number>): number {
  const loaded = list.is_deferred ? list.tools.filter(({ name }) => called.has(name)) : [];
  const loading = loaded.length === 0 ? 0 : (list.loading_tokens ?? 0);
  return loaded.reduce(
    (sum, tool) => sum + countTokensToLoad(tool),
    list.resident_tokens + loading,
  );
}

function makeUsage(server: string, joined: JoinedServer, allRows: UsageRows): ServerUsage {
  const { sessions, rows, refusable, lists, wholeLists, namedTools, definitionTokens } = joined;
  const { model, hiddenCalls, residentTokens } = joined;
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const tools = sorted.map(([key, numbers]) => {
    const limited = numbers.filter((row) => joined.limitedRows.has(row));
    return {
      name: readTool(key) ?? `(${key.slice(methodMark.length)})`,
      isTool: readTool(key) !== undefined,
      usage: allRows.sum(numbers),
      refusable: sumRefusable(numbers.flatMap((row) => refusable.get(row) ?? [])),
      limit: findLimit(joined, key),
      limitedUsage: limited.length === 0 ? undefined : allRows.sum(limited),
    };
  });
  const refusals = new Set(
    [...joined.settings.values()].map((settings) => settings.refusesRepeats),
  );
  const called = sorted.flatMap(([key]) => readTool(key) ?? []);
  return {
    server,
    sessions,
    tools,
    called: new Set(called),
    calls: tools.reduce((sum, { usage }) => sum + usage.calls, 0),
    refusesRepeats: refusals.has(true) && !refusals.has(false),
    lists,
    wholeLists,
    // Names in logs count only if no session recorded the definitions.
    namedTools: lists.newest ? [] : namedTools,
    knownLists: lists,
    listsByEstimator: [...joined.listsByEstimator.values()],
    definitionTokens,
    residentTokens,
    model,
    hiddenCalls,
  };
}

function sumRefusable(counts: readonly RefusableCalls[]): RefusableCalls {
  return {
    calls: counts.reduce((sum, count) => sum + count.calls, 0),
    tokens: counts.reduce((sum, count) => sum + count.tokens, 0),
  };
}
