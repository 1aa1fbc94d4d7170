import { readEstimation, pickLessCertain, type SummaryEstimation } from "#records/summary.ts";
import type {
  ImportedCallRecord,
  ToolListRecord,
  AlertRecord,
  DefinitionsRecord,
  MeterRecord,
  SessionRecord,
  CallRecord,
} from "#records/record.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { passesPatterns } from "#kit/text/match-names.ts";
import {
  DefinitionLists,
  includeList,
  type KnownLists,
  mergeLists,
  noLists,
} from "../definition-lists.ts";
import { filterRecords, type TimedRecord } from "../record-filter.ts";
import { RepeatRoom } from "../repeat-table.ts";
import { escapeName } from "../../imports/split-tool-names.ts";
import type { Advice } from "./advice.ts";
import {
  type AgentUsage,
  type LimitInPlace,
  listLimitsInPlace,
  makeAdvice,
  sumAllTokens,
} from "./make-advice.ts";
import {
  joinServers,
  type ConfiguredLimits,
  type ServerUsage,
  SessionUsage,
} from "./session-usage.ts";
import {
  makeRowKey,
  type AdvisedCall,
  convertImport,
  findErrorTokensMax,
  UsageRows,
} from "./tool-usage.ts";
import type { ImportedHistory } from "../imported/imported-history.ts";
import { isInRange, type TimeRange } from "../time-range.ts";
import { reportServersMax, reportSessionsMax } from "#records/ledger.ts";
import { reportCellsMax } from "../usage-cube.ts";

export type SummedAdvice = {
  readonly isEmpty: boolean;
  /** Null unless there is exactly one estimator. */
  readonly estimation: SummaryEstimation | null;
  /** Covers all servers and tools: of the filters, only those by client and estimator apply. */
  readonly context_tokens: number;
  readonly advice: readonly Advice[];
  readonly limitsInPlace: readonly LimitInPlace[];
  /** Advice that no longer applies, because the settings already follow it. */
  readonly configured: readonly Advice[];
  /** The settings entries of advised servers, by server; undefined if the settings are unknown. */
  readonly wrapTargets: WrapTargets | undefined;
};

export type WrapTargets = ReadonlyMap<string, Pick<ConfiguredLimits, "entryName" | "isRemote">>;

type AdviceChoice = {
  readonly [names in "clients" | "servers" | "tools" | "estimators"]?: readonly string[];
};

type SessionId = Pick<MeterRecord, "session_id">;

const shorteningAlerts: ReadonlySet<string> = new Set(["would_truncate", "would_spill"]);

export class AdviceFold {
  readonly #sessions = new Map<string, SessionUsage>();
  #newest: { readonly id: string; readonly session: SessionUsage } | undefined;
  readonly #rows = new UsageRows();
  readonly #repeatRoom = new RepeatRoom();
  readonly #runRoom = new RepeatRoom();
  readonly #lists = new DefinitionLists();
  readonly #knownLists = new Map<string, KnownLists>();
  readonly #wireServers = new Set<string>();
  readonly #agents: AgentUsage[] = [];
  readonly #errorTokensMax = new Map<string | null, number | undefined>(); // by client
  #serverCount = 0;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  /** Takes records from outside the period: a session may begin before it, and a tool list may be older. */
  addContext({ record, ms }: TimedRecord): void {
    if (record.type === "session") {
      this.#findSession(record)?.addSession(record);
      this.#addWireServer(record);
    }
    if (record.type !== "definitions") return;
    const list = this.#lists.share(record);
    const known = this.#knownLists.get(record.server);
    if (!list || (!known && this.#knownLists.size >= reportServersMax)) return;
    const lists = includeList(known ?? noLists, { ts: record.ts, ms, list });
    this.#knownLists.set(record.server, lists);
  }

  add({ record, ms }: TimedRecord): void {
    switch (record.type) {
      case "session":
        return this.#addSession(record);
      case "definitions":
        return this.#addDefinitions(record, ms);
      case "call":
        return this.#addCall(record);
      case "alert":
        return this.#addAlert(record);
      case "end":
        return this.#findServerSession(record)?.addEnd(record);
      case "breach":
        return this.#findServerSession(record)?.addBreach(record);
      default:
    }
  }

  addImported(call: ImportedCallRecord): void {
    const { client, tool, server, method, visible } = call;
    this.#findSession(call)?.addLoggedSession({ client, estimation: readEstimation(call) });
    this.#addCall(convertImport(call));
    if (visible === "spilled") this.#addShortened(call, server, makeRowKey(method, tool));
  }

  /** Ignores the list of a server metered in the same session, because the records already include its definitions. */
  addToolList(list: ToolListRecord, requests: number, clientSession: string | undefined): void {
    const { client, server, tools, tokens } = list;
    if (clientSession !== undefined && this.#wireServers.has(makeServerKey(clientSession, server)))
      return;
    const session = this.#findSession(list);
    const entry = session && this.#findServer(session, server);
    if (!entry) return;
    session.addLoggedSession({ client, estimation: readEstimation(list) });
    entry.hasStart = true;
    entry.loggedNames.push({ tools, tokens: tokens ?? 0, requests });
  }

  addAgent(agent: AgentUsage): void {
    if (this.#agents.length < reportSessionsMax) this.#agents.push(agent);
    else this.#leftOut += 1;
  }

  advise(choice: AdviceChoice = {}, settings?: readonly ConfiguredLimits[]): SummedAdvice {
    const { servers = [], clients = [], estimators = [] } = choice;
    const names = clients.map(nameClient);
    const agents = this.#agents.filter(
      ({ client, estimator }) =>
        passesPatterns(names, client) && passesPatterns(estimators, estimator),
    );
    const adviseOnChosen = (usages: readonly ServerUsage[]): readonly Advice[] =>
      makeAdvice(usages, agents).filter((entry) => isChosen(entry, choice));
    const sessions = this.#findSessions(choice);
    const usages = this.#join(sessions);
    const hasLimits = settings?.some((entry) => entry.budgets.length > 0 || entry.refusesRepeats);
    const advice = adviseOnChosen(hasLimits === true ? this.#join(sessions, settings) : usages);
    const adviceKeys = new Set(advice.map(makeAdviceKey));
    return {
      isEmpty: !usages.some(({ server }) => passesPatterns(servers, server)),
      estimation: joinEstimations(sessions),
      context_tokens: sumAllTokens(usages),
      advice,
      limitsInPlace: listLimitsInPlace(usages).filter((entry) => isChosen(entry, choice)),
      configured: adviseOnChosen(usages).filter((entry) => !adviceKeys.has(makeAdviceKey(entry))),
      wrapTargets: settings && findWrapTargets(advice, settings),
    };
  }

  listUsages(choice: AdviceChoice = {}) {
    const sessions = this.#findSessions(choice);
    return { usages: this.#join(sessions), estimation: joinEstimations(sessions) };
  }

  #findSessions({ clients = [], estimators = [] }: AdviceChoice): readonly SessionUsage[] {
    const names = clients.map(nameClient);
    return [...this.#sessions.values()].filter(
      ({ servers, client, estimation }) =>
        servers.size > 0 &&
        passesPatterns(names, client ?? "") &&
        passesPatterns(estimators, estimation?.estimator ?? ""),
    );
  }

  #join(
    sessions: readonly SessionUsage[],
    configured: readonly ConfiguredLimits[] = [],
  ): readonly ServerUsage[] {
    return joinServers(sessions, this.#rows, configured).map((usage) => this.#addKnownLists(usage));
  }

  #addKnownLists(usage: ServerUsage): ServerUsage {
    const known = this.#knownLists.get(usage.server);
    return known ? { ...usage, knownLists: mergeLists(usage.lists, known) } : usage;
  }

  #addSession(record: SessionRecord): void {
    const session = this.#findServerSession(record);
    if (!session) return;
    session.addSession(record);
    session.findServer(record.server).hasStart = true;
    this.#addWireServer(record);
  }

  #addWireServer({ client_session_id_sha256: id, server }: SessionRecord): void {
    if (id !== undefined && this.#wireServers.size < reportSessionsMax)
      this.#wireServers.add(makeServerKey(id, server));
  }

  #addDefinitions(record: DefinitionsRecord, ms: number): void {
    const session = this.#findServerSession(record);
    if (!session) return;
    const list = this.#lists.share(record);
    if (list) session.addList(record.server, { ts: record.ts, ms, list });
    else this.#leftOut += 1;
  }

  #addCall(call: AdvisedCall): void {
    const session = this.#findSession(call);
    const row = session && this.#findRow(session, call.server, makeRowKey(call.method, call.tool));
    if (!session || row === undefined) return;
    this.#rows.addCall(row, call, this.#findErrorTokensMax(session.client));
    const { arguments_sha256: hash, outcome, seq, output_tokens: tokens } = call;
    const answerTokens = outcome === "refused" ? null : tokens;
    session.findServer(call.server).runs.add({ seq, row, hash, answerTokens });
    if (call.tool === null || hash === null || outcome === "refused") return;
    const repeat = session.repeats.add(row, hash, { seq, tokens, cell: row });
    if (!repeat) return;
    this.#rows.add(repeat.cell, "repeated_calls", 1);
    this.#rows.add(repeat.cell, "repeated_tokens", repeat.tokens);
  }

  #findErrorTokensMax(client: string | null): number | undefined {
    const known = this.#errorTokensMax;
    if (!known.has(client)) known.set(client, findErrorTokensMax(client));
    return known.get(client);
  }

  #addAlert(record: AlertRecord): void {
    const { alert, tool, server } = record;
    if (!shorteningAlerts.has(alert) || tool === null) return;
    this.#addShortened(record, server, makeRowKey("tools/call", tool));
  }

  #addShortened(record: SessionId, server: string, key: string): void {
    const session = this.#findSession(record);
    const row = session && this.#findRow(session, server, key);
    if (row !== undefined) this.#rows.add(row, "shortened_answers", 1);
  }

  #findSession({ session_id: id }: SessionId): SessionUsage | undefined {
    if (this.#newest?.id === id) return this.#newest.session;
    const known = this.#sessions.get(id);
    if (!known && this.#sessions.size >= reportSessionsMax) return this.#leaveOut();
    const session = known ?? new SessionUsage(this.#repeatRoom, this.#runRoom);
    if (!known) this.#sessions.set(id, session);
    this.#newest = { id, session };
    return session;
  }

  #findServerSession(record: Pick<MeterRecord, "session_id" | "server">): SessionUsage | undefined {
    const session = this.#findSession(record);
    return session && this.#findServer(session, record.server) ? session : undefined;
  }

  #findServer(
    session: SessionUsage,
    server: string,
  ): ReturnType<SessionUsage["findServer"]> | undefined {
    if (!session.servers.has(server)) {
      if (this.#serverCount >= reportCellsMax) return this.#leaveOut();
      this.#serverCount += 1;
    }
    return session.findServer(server);
  }

  #findRow(session: SessionUsage, server: string, key: string): number | undefined {
    const entry = this.#findServer(session, server);
    if (!entry) return undefined;
    const known = entry.rows.get(key);
    if (known !== undefined) return known;
    if (this.#rows.rowCount >= reportCellsMax) return this.#leaveOut();
    const row = this.#rows.addRow();
    entry.rows.set(key, row);
    return row;
  }

  #leaveOut(): undefined {
    this.#leftOut += 1;
  }
}

function makeServerKey(clientSession: string, server: string): string {
  return `${clientSession}\n${server}`;
}

function findWrapTargets(
  advice: readonly Advice[],
  settings: readonly ConfiguredLimits[],
): WrapTargets {
  // Compares escaped names, because some clients log escaped names.
  // If a local and a remote entry have the same name, the local entry wins.
  const sorted = settings.toSorted((a, b) => Number(b.isRemote) - Number(a.isRemote));
  const targets = new Map(
    sorted.flatMap((entry) =>
      [entry.server, entry.entryName].map((name) => [escapeName(name), entry] as const),
    ),
  );
  return new Map(
    advice.flatMap(({ server }) => {
      const target = targets.get(escapeName(server));
      return target ? [[server, target] as const] : [];
    }),
  );
}

function makeAdviceKey({ kind, server, tool }: Advice): string {
  return JSON.stringify([kind, server, tool]);
}

function isChosen(
  { server, tool }: Pick<Advice, "server" | "tool">,
  { servers = [], tools = [] }: AdviceChoice,
): boolean {
  const matchesTools = tools.length === 0 || (tool !== null && passesPatterns(tools, tool));
  return matchesTools && passesPatterns(servers, server);
}

function joinEstimations(sessions: readonly SessionUsage[]): SummaryEstimation | null {
  const estimators = new Set(sessions.map(({ estimation }) => estimation?.estimator));
  if (estimators.size !== 1) return null;
  return sessions.reduce<SummaryEstimation | null>(
    (joined, { estimation }) => pickLessCertain(joined, estimation),
    null,
  );
}

function sumAgent(client: string, calls: readonly ImportedCallRecord[]): AgentUsage | undefined {
  const [first] = calls;
  if (!first) return undefined;
  const byServer = new Map<string, number>();
  for (const { server, input_tokens: input, output_tokens: output } of calls)
    byServer.set(server, (byServer.get(server) ?? 0) + (input ?? 0) + (output ?? 0));
  const [[server] = [first.server]] = [...byServer].toSorted(([, a], [, b]) => b - a);
  const tokens = [...byServer.values()].reduce((sum, count) => sum + count, 0);
  return { client, estimator: first.estimator, server, calls: calls.length, tokens };
}

export type ImportedUsage = {
  readonly history: ImportedHistory;
  readonly matchedCalls: ReadonlyMap<ImportedCallRecord, CallRecord>;
};

/** Call this after all wire records are added. Skips matched calls, except in the sums of sub-agents. */
export function addHistory(
  fold: AdviceFold,
  { history, matchedCalls }: ImportedUsage,
  range: TimeRange,
): void {
  const isReported = ({ ts }: { readonly ts: string }): boolean => isInRange(range, Date.parse(ts));
  for (const { record, turns, calls, lists } of history.conversations.values()) {
    if (record?.kind === "subagent") {
      const agent = sumAgent(
        nameClient(record.client) ?? "",
        [...calls.values()].filter(isReported),
      );
      if (agent) fold.addAgent(agent);
    }
    for (const call of calls.values())
      if (isReported(call) && !matchedCalls.has(call)) fold.addImported(call);
    for (const list of lists.values()) {
      const { turn, until_turn: until } = list;
      const requests = [...turns.keys()].filter(
        (index) => index >= turn && index < (until ?? Infinity),
      ).length;
      if (isReported(list)) fold.addToolList(list, requests, record?.client_session_id_sha256);
    }
  }
}

// Does not filter by name, because tokens and calls of every tool affect the advice.
export function createAdviceFold(range: TimeRange): {
  readonly fold: AdviceFold;
  readonly take: ReturnType<typeof filterRecords>;
} {
  const fold = new AdviceFold();
  const take = filterRecords(
    { range, filters: { servers: [], tools: [] } },
    (timed) => fold.add(timed),
    (timed) => fold.addContext(timed),
  );
  return { fold, take };
}
