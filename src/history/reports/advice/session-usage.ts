import { readEstimation, type SummaryEstimation } from "#records/summary.ts";
import { actionRules } from "#meter/actions/action-rules.ts";
import {
  type BreachRecord,
  type BudgetState,
  type EndRecord,
  hideRule,
  type SessionRecord,
} from "#records/record.ts";
import { type RepeatRoom, RepeatTable } from "../repeat-table.ts";
import { CallRuns, type RefusableCalls } from "./call-runs.ts";
import {
  countContextTokens,
  type DatedList,
  type DefinitionList,
  includeList,
  type KnownLists,
  mergeLists,
  noLists,
} from "../definition-lists.ts";
import { methodPrefix, parseToolName, type ToolUsage, type UsageRows } from "./tool-usage.ts";
import { matchesWildcard } from "#kit/text/match-names.ts";
import { sumBy } from "#kit/text/numbers.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";

export const adviceRepeatsMax = 2;

type ServerEntry = {
  hasStart: boolean; // true after a session record or a logged list of tools
  readonly rows: Map<string, number>;
  lists: KnownLists;
  readonly completeLists: Set<DefinitionList>;
  readonly loggedNames: LoggedToolNames[];
  readonly runs: CallRuns;
  readonly settings: SessionSettings;
  readonly hiddenCalls: Map<string, number>; // by tool
};

type SessionSettings = {
  limits: Limits; // without an end record, only the breached limits
  hasEnd: boolean;
  hasRefusedRepeats: boolean;
};

type LoggedSession = {
  readonly client: string;
  readonly estimation: SummaryEstimation;
};

export class SessionUsage {
  readonly repeats: RepeatTable;
  readonly servers = new Map<string, ServerEntry>();
  client: string | null = null; // no getter, because it is read for each call
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

  addSession(record: SessionRecord): void {
    if (!this.#record || record.seq > this.#record.seq) this.#record = record;
    this.#nameClient();
  }

  get model(): string | null {
    return this.#record?.model ?? null;
  }

  /** Milliseconds since 1970; 0 for a session known only from a log. */
  get beganMs(): number {
    return this.#record ? Date.parse(this.#record.ts) : 0;
  }

  addEnd({ server, budgets }: EndRecord): void {
    const { settings } = this.findServer(server);
    settings.limits = findLowestLimits(budgets);
    settings.hasEnd = true;
  }

  addBreach(breach: BreachRecord): void {
    const { settings, hiddenCalls } = this.findServer(breach.server);
    if (!breach.is_enforced) return;
    if (breach.budget === hideRule) return addHiddenCalls(hiddenCalls, breach.tool);
    if (breach.budget.startsWith(maxRepeatsPrefix)) settings.hasRefusedRepeats = true;
    else if (breach.tool !== null && limitsAnswers(breach)) addLimit(settings.limits, breach);
  }

  addLoggedSession(logged: LoggedSession): void {
    this.#logged ??= logged;
    this.#nameClient();
  }

  #nameClient(): void {
    this.client = nameClient(this.#record?.client_name ?? this.#logged?.client ?? null);
  }

  addList(server: string, dated: DatedList): void {
    const entry = this.findServer(server);
    entry.lists = includeList(entry.lists, dated);
    if (dated.list.is_complete) entry.completeLists.add(dated.list);
  }

  findServer(server: string): ServerEntry {
    const known = this.servers.get(server);
    if (known) return known;
    const entry = {
      hasStart: false,
      rows: new Map<string, number>(),
      lists: noLists,
      completeLists: new Set<DefinitionList>(),
      loggedNames: [],
      runs: new CallRuns(this.#runRoom),
      settings: { limits: new Map(), hasEnd: false, hasRefusedRepeats: false },
      hiddenCalls: new Map<string, number>(),
    };
    this.servers.set(server, entry);
    return entry;
  }
}

// Limits `hiddenCalls`, because a model may call any number of invented names that a pattern hides.
export const hiddenToolsMax = 1_000;

function addHiddenCalls(hiddenCalls: Map<string, number>, tool: string | null, calls = 1): void {
  if (tool === null || (hiddenCalls.size >= hiddenToolsMax && !hiddenCalls.has(tool))) return;
  hiddenCalls.set(tool, (hiddenCalls.get(tool) ?? 0) + calls);
}

const maxRepeatsPrefix = "max-repeats ";

const limitingActions: ReadonlySet<string> = new Set(
  Object.entries(actionRules).flatMap(([id, rules]) => (rules.holdsAnswers ? [id] : [])),
);

function limitsAnswers({ unit, per, action }: Pick<BudgetState, "unit" | "per" | "action">) {
  return limitingActions.has(action) && unit === "tokens" && per === "call";
}

export type LoggedToolNames = {
  readonly tools: readonly string[];
  readonly tokens: number;
  readonly requests: number;
};

export type UsedTool = {
  readonly name: string;
  readonly isTool: boolean;
  readonly usage: ToolUsage;
  readonly refusable: RefusableCalls;
  /** The largest limit that its callers set on the tokens of a call; undefined if any caller sets none. */
  readonly limit: number | undefined;
  /** The usage in sessions that limited the tokens of a call; undefined if none did. */
  readonly limitedUsage: ToolUsage | undefined;
};

export type ServerUsage = {
  readonly server: string;
  readonly sessions: number;
  readonly tools: readonly UsedTool[];
  readonly calledTools: ReadonlySet<string>;
  readonly calls: number;
  /** True if identical calls are now refused for every client that made many of them. */
  readonly refusesRepeats: boolean;
  readonly lists: KnownLists;
  readonly completeLists: ReadonlySet<DefinitionList>;
  readonly loggedNames: readonly LoggedToolNames[];
  /** Includes lists from outside the period, which `AdviceFold` adds. */
  readonly knownLists: KnownLists;
  /** Separate for each estimator: sizes from different estimators are not comparable. */
  readonly listsByEstimator: readonly KnownLists[];
  readonly definitionTokens: number;
  /** Without definitions that a client loads on demand. */
  readonly residentTokens: number;
  /** From the newest session that names a model. */
  readonly model: string | null;
  /** Refused calls of hidden tools, by tool. */
  readonly hiddenCalls: ReadonlyMap<string, number>;
};

type JoinedServer = {
  sessions: number;
  readonly rows: Map<string, number[]>; // by row key
  readonly limitedRows: Set<number>;
  readonly refusable: Map<number, RefusableCalls>;
  lists: KnownLists;
  readonly listsByEstimator: Map<string, KnownLists>;
  readonly completeLists: Set<DefinitionList>;
  readonly loggedNames: LoggedToolNames[];
  readonly callers: Map<string, Set<string | null>>; // clients, by row key
  readonly settings: Map<string | null, NewestSettings>;
  definitionTokens: number;
  residentTokens: number;
  model: string | null;
  readonly hiddenCalls: Map<string, number>;
};

/** Limits that the next session of a server will have, according to the settings of its client. */
export type ConfiguredLimits = {
  readonly client: string;
  readonly server: string;
  /** The server's name in the client's settings; `wrap` takes this name. */
  readonly entryName: string;
  readonly isRemote: boolean;
  readonly budgets: readonly Pick<BudgetState, "tool" | "limit" | "unit" | "per" | "action">[];
  readonly refusesRepeats: boolean;
};

/** The lowest limit by tool or wildcard; null stands for every tool. */
type Limits = Map<string | null, number>;

type NewestSettings = {
  readonly limits: Limits;
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
        completeLists: new Set(),
        loggedNames: [],
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
  return sorted.map(([server, joined]) => summarizeServer(server, joined, rows));
}

function joinRows(
  { rows, limitedRows, callers }: JoinedServer,
  entry: ServerEntry,
  client: string | null,
): void {
  const { limits } = entry.settings;
  for (const [key, row] of entry.rows) {
    const known = rows.get(key);
    if (known) known.push(row);
    else rows.set(key, [row]);
    if (findLowestLimit(limits, key) < Infinity) limitedRows.add(row);
    callers.set(key, (callers.get(key) ?? new Set<string | null>()).add(client));
  }
}

function joinEntry(
  joined: JoinedServer,
  entry: ServerEntry,
  { client, estimation, model }: SessionUsage,
  usage: UsageRows,
): void {
  if (entry.hasStart) joined.sessions += 1;
  joined.model = model ?? joined.model;
  joinRows(joined, entry, client);
  joinLists(joined, entry, estimation?.estimator ?? "");
  for (const [tool, calls] of entry.hiddenCalls) addHiddenCalls(joined.hiddenCalls, tool, calls);
  // Clears the counts of an earlier join.
  for (const row of entry.rows.values()) usage.clear(row, "calls_in_row");
  const countRepeat = (row: number): void => usage.add(row, "calls_in_row", 1);
  const refusable = entry.runs.findRefusable(adviceRepeatsMax, countRepeat);
  for (const [row, calls] of refusable) joined.refusable.set(row, calls);
  const earlier = joined.settings.get(client);
  joined.settings.set(client, updateSettings(earlier, entry.settings, refusable.size > 0));
}

function joinLists(
  joined: JoinedServer,
  { lists, completeLists, loggedNames, rows }: ServerEntry,
  estimator: string,
): void {
  for (const list of completeLists) joined.completeLists.add(list);
  joined.loggedNames.push(...loggedNames);
  joined.lists = mergeLists(joined.lists, lists);
  const known = joined.listsByEstimator.get(estimator) ?? noLists;
  joined.listsByEstimator.set(estimator, mergeLists(known, lists));
  if (!lists.newest) return;
  joined.definitionTokens += countContextTokens(lists.newest.list, rows);
  joined.residentTokens += lists.newest.list.resident_tokens;
}

// Without an end record, the session's budgets are unknown. The client's earlier limits then remain, and the
// breached limits are added to them.
function updateSettings(
  earlier: NewestSettings | undefined,
  session: SessionSettings,
  hasRefusable: boolean,
): NewestSettings {
  const { limits, hasEnd, hasRefusedRepeats } = session;
  const earlierLimits = (hasEnd ? undefined : earlier?.limits) ?? [];
  const showsRepeats = hasRefusedRepeats || hasRefusable;
  return {
    limits: new Map([...earlierLimits, ...limits]),
    refusesRepeats: showsRepeats ? hasRefusedRepeats : earlier?.refusesRepeats,
  };
}

function findLowestLimits(budgets: ConfiguredLimits["budgets"]): Limits {
  const limits: Limits = new Map();
  for (const budget of budgets.filter(limitsAnswers)) addLimit(limits, budget);
  return limits;
}

function addLimit(limits: Limits, { tool, limit }: Pick<BudgetState, "tool" | "limit">): void {
  limits.set(tool, Math.min(limit, limits.get(tool) ?? Infinity));
}

function addConfigured(
  settings: JoinedServer["settings"] | undefined,
  { client, budgets, refusesRepeats }: ConfiguredLimits,
): void {
  const newest = settings?.get(client);
  if (!newest) return;
  for (const [tool, limit] of findLowestLimits(budgets)) newest.limits.set(tool, limit);
  if (refusesRepeats) newest.refusesRepeats = true;
}

function findLimit({ callers, settings }: JoinedServer, key: string): number | undefined {
  const limits = [...(callers.get(key) ?? [])].map((client) =>
    findLowestLimit(settings.get(client)?.limits ?? new Map(), key),
  );
  const largest = Math.max(...limits);
  return Number.isFinite(largest) ? largest : undefined;
}

function findLowestLimit(limits: Limits, key: string): number {
  const name = parseToolName(key);
  const matching = [...limits].filter(
    ([tool]) => tool === null || (name !== undefined && matchesWildcard(tool, name)),
  );
  return Math.min(...matching.map(([, limit]) => limit));
}

function summarizeServer(server: string, joined: JoinedServer, allRows: UsageRows): ServerUsage {
  const { sessions, rows, refusable, lists, completeLists, loggedNames, definitionTokens } = joined;
  const { model, hiddenCalls, residentTokens } = joined;
  const sorted = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const tools = sorted.map(([key, toolRows]) => {
    const limitedRows = toolRows.filter((row) => joined.limitedRows.has(row));
    return {
      name: parseToolName(key) ?? `(${key.slice(methodPrefix.length)})`,
      isTool: parseToolName(key) !== undefined,
      usage: allRows.sum(toolRows),
      refusable: sumRefusable(toolRows.flatMap((row) => refusable.get(row) ?? [])),
      limit: findLimit(joined, key),
      limitedUsage: limitedRows.length === 0 ? undefined : allRows.sum(limitedRows),
    };
  });
  const refusals = new Set(joined.settings.values().map(({ refusesRepeats }) => refusesRepeats));
  const calledTools = sorted.flatMap(([key]) => parseToolName(key) ?? []);
  return {
    server,
    sessions,
    tools,
    calledTools: new Set(calledTools),
    calls: sumBy(tools, ({ usage }) => usage.calls),
    refusesRepeats: refusals.has(true) && !refusals.has(false),
    lists,
    completeLists,
    loggedNames: lists.newest ? [] : loggedNames,
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
    calls: sumBy(counts, ({ calls }) => calls),
    tokens: sumBy(counts, ({ tokens }) => tokens),
  };
}
