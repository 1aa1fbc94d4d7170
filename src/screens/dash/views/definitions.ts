import { compareWithLock, type ListDrift } from "#lock/lock-guard.ts";
import type { DefinitionsRecord } from "#records/record.ts";
import type { TimeZone } from "#history/reports/calendar.ts";
import { sumUnusedTools } from "#records/definition-summary.ts";
import type { DashModel, NewestList } from "../model/model.ts";
import type {
  ListDetails,
  DefinitionRow,
  DefinitionsView,
  LockFacts,
  ViewChoice,
  ViewRows,
} from "../view.ts";
import {
  allRows,
  findRow,
  findLock,
  findServerName,
  selectCallRows,
  type Scope,
  buildScope,
  type ServerLock,
  type ViewContext,
} from "./scope.ts";

export function buildDefinitionsView(
  model: DashModel,
  choice: ViewChoice,
  context: ViewContext,
): DefinitionsView {
  const scope = buildServerScope(model, choice, context);
  const { server } = scope.choice;
  const list = server === undefined ? undefined : model.findList(server, scope.estimator);
  const rows = list && server !== undefined ? buildToolRows(scope, server, list) : {};
  const lock = list && compareList(list, scope);
  return {
    head: {
      ...scope.head,
      notes: [...scope.head.notes, ...noteUnusedLocks(scope)],
      server: server ?? null,
      row: findRow(scope, (row) => row.server === server),
      list: list ? summarizeList(list, rows, model.zone) : null,
      lock: lock?.facts ?? null,
    },
    tables: { tools: rows, lock: lock?.rows ?? {} },
  };
}

function buildServerScope(model: DashModel, choice: ViewChoice, context: ViewContext): Scope {
  const plan = { tables: [{ ...allRows, by: ["server"] }] } as const;
  const scope = buildScope(model, choice, context, plan);
  const server = choice.server ?? findMainServer(scope);
  return server === choice.server ? scope : buildScope(model, { ...choice, server }, context, plan);
}

function compareList(
  { record, estimator }: NewestList,
  { context }: Scope,
): LockDifferences | undefined {
  const lock = findLock(context.locks, record.server);
  return lock && compareLock(record, lock, estimator);
}

type LockDifferences = {
  readonly facts: LockFacts;
  readonly rows: DefinitionsView["tables"]["lock"];
};

export function compareLock(
  record: DefinitionsRecord,
  { file, lock }: ServerLock,
  estimator: string,
): LockDifferences {
  const isComparable = lock.estimator === estimator;
  const before = new Map(lock.tools.map(({ name, tokens }) => [name, tokens.total]));
  const after = new Map(record.tools.map(({ name, tokens }) => [name, tokens]));
  const drifts = compareWithLock(record, lock);
  const buildRow = ({ tool, change }: ListDrift) => ({
    name: tool,
    change,
    before_tokens: isComparable ? (before.get(tool) ?? null) : null,
    after_tokens: after.get(tool) ?? null,
  });
  const rows: ViewRows<ReturnType<typeof buildRow>> = Object.fromEntries(
    drifts.map((drift) => [drift.tool, buildRow(drift)] as const),
  );
  const change = isComparable ? record.total_tokens - lock.total_tokens : null;
  return { facts: { file, differences: drifts.length, change_tokens: change }, rows };
}

function noteUnusedLocks({ context, head }: Scope): readonly string[] {
  return context.locks
    .filter((lock) => !head.servers.includes(findServerName(lock) ?? ""))
    .map((lock) => describeUnusedLock(lock.file, findServerName(lock)));
}

function describeUnusedLock(file: string, server: string | null): string {
  const reason =
    server === null
      ? "it does not name its server"
      : `this period has no records of a server "${server}"`;
  return `Nothing is compared with the lock "${file}": ${reason}; pass --lock SERVER=FILE, where SERVER is the server's name in the records`;
}

/** Of the servers with a known list, returns the one whose definitions took the most context tokens. */
function findMainServer({ model, head, usage, estimator }: Scope): string | undefined {
  const rows = new Map(usage?.tables[0]?.rows.map((row) => [row.server, row]));
  const ranked = head.servers.flatMap((server) => {
    const list = model.findList(server, estimator);
    if (!list) return [];
    const { resident_tokens: resident = 0, loaded_tokens: loaded = 0 } = rows.get(server) ?? {};
    return [{ server, tokens: resident + loaded, listed: list.record.total_tokens }];
  });
  return ranked.toSorted((a, b) => b.tokens - a.tokens || b.listed - a.listed)[0]?.server;
}

function buildToolRows(
  scope: Scope,
  server: string,
  { record }: NewestList,
): ViewRows<DefinitionRow> {
  const calls = new Map<string, number>();
  for (const row of selectCallRows(scope, { server })) {
    const tool = scope.model.calls.readTool(row);
    calls.set(tool, (calls.get(tool) ?? 0) + 1);
  }
  const rows = record.tools.map((tool) => {
    const row = {
      name: tool.name,
      tokens: tool.tokens,
      name_tokens: tool.name_tokens,
      description_tokens: tool.description_tokens,
      schema_tokens: tool.schema_tokens,
      wire_only_tokens: tool.wire_only_tokens,
      calls: calls.get(tool.name) ?? 0,
    };
    return [tool.name, row] as const;
  });
  return Object.fromEntries(rows);
}

function summarizeList(
  { record, ms }: NewestList,
  rows: ViewRows<DefinitionRow>,
  zone: TimeZone,
): ListDetails {
  const tools = Object.values(rows);
  const uncalled = tools.filter(({ calls }) => calls === 0);
  const called = tools.filter(({ calls }) => calls > 0);
  const keys = new Set(called.map(({ name }) => `${record.server}\n${name}`));
  return {
    listed_local: zone.formatMinute(ms),
    tools_total: record.tools_total,
    total_tokens: record.total_tokens,
    resident_tokens: record.resident_tokens,
    instructions_tokens: record.instructions_tokens,
    is_deferred: record.is_deferred,
    never_called: uncalled.length,
    never_called_tokens: sumUnusedTools([record], keys)?.tokens ?? 0,
    never_called_listed_tokens: uncalled.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
