import type { DashModel, NewestList } from "../model/model.ts";
import type { DefinitionRow, DefinitionsView, ViewChoice, ViewRows } from "../view.ts";
import {
  lockDifferences,
  lockFor,
  serverOf,
  callRows,
  type Scope,
  scopeOf,
  type ViewSetting,
} from "./scope.ts";
import { dashViewSentences } from "./sentences.ts";

export function definitionsView(
  model: DashModel,
  choice: ViewChoice,
  setting: ViewSetting,
): DefinitionsView {
  const scope = scopeOf(model, choice, setting);
  const server = choice.server ?? largestList(scope);
  const list = server === undefined ? undefined : model.listOf(server, scope.estimator);
  const rows = list && server !== undefined ? toolRows(scope, server, list) : {};
  const compared = list && comparedWithLock(list, scope);
  return {
    head: {
      ...scope.head,
      notes: [...scope.head.notes, ...unusedLocks(scope)],
      server: server ?? null,
      list: list ? listFacts(list, rows) : null,
      lock: compared?.facts ?? null,
    },
    tables: { tools: rows, lock: compared?.rows ?? {} },
  };
}

function comparedWithLock(
  { record }: NewestList,
  { setting, estimator }: Scope,
): ReturnType<typeof lockDifferences> | undefined {
  const lock = lockFor(setting.locks, record.server);
  return lock && lockDifferences(record, lock, estimator);
}

/** The records do not have these servers: their users name them differently. */
function unusedLocks({ setting, head }: Scope): readonly string[] {
  return setting.locks
    .filter((lock) => !head.servers.includes(serverOf(lock) ?? ""))
    .map((lock) => dashViewSentences.dashLockUnused(lock.file, serverOf(lock)));
}

function largestList({ model, head, estimator }: Scope): string | undefined {
  const tokens = (server: string): number =>
    model.listOf(server, estimator)?.record.total_tokens ?? -1;
  return head.servers
    .filter((server) => tokens(server) >= 0)
    .toSorted((one, other) => tokens(other) - tokens(one))[0];
}

function toolRows(scope: Scope, server: string, { record }: NewestList): ViewRows<DefinitionRow> {
  const calls = new Map<string, number>();
  for (const row of callRows(scope, { server })) {
    const tool = scope.model.calls.toolOf(row);
    calls.set(tool, (calls.get(tool) ?? 0) + 1);
  }
  const rows = record.tools.map((tool) => {
    const { name, tokens, name_tokens, description_tokens, schema_tokens } = tool;
    const parts = { tokens, name_tokens, description_tokens, schema_tokens };
    const row = { name, ...parts, wire_only_tokens: tool.wire_only_tokens };
    return [name, { ...row, calls: calls.get(name) ?? 0 }] as const;
  });
  return Object.fromEntries(rows);
}

function listFacts(
  { record, ms }: NewestList,
  rows: ViewRows<DefinitionRow>,
): DefinitionsView["head"]["list"] {
  const idle = Object.values(rows).filter(({ calls }) => calls === 0);
  return {
    ts: new Date(ms).toISOString(),
    tools_total: record.tools_total,
    total_tokens: record.total_tokens,
    resident_tokens: record.resident_tokens,
    instructions_tokens: record.instructions_tokens,
    is_deferred: record.is_deferred,
    never_called: idle.length,
    never_called_tokens: idle.reduce((sum, { tokens }) => sum + tokens, 0),
  };
}
