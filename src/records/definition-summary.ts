import { expensiveToolsShownMax } from "#limits.ts";
import type { DefinitionsRecord } from "./record.ts";
import type {
  DefinitionsSummary,
  ExpensiveDefinition,
  ListSummary,
  UnusedSummary,
} from "./summary.ts";

/** The definitions of all servers added up; null without a record. Shares are of `window` tokens. */
export function sumDefinitions(
  records: readonly DefinitionsRecord[],
  window: number,
): DefinitionsSummary | null {
  if (records.length === 0) return null;
  const sum = (pick: (record: DefinitionsRecord) => number): number =>
    records.reduce((total, record) => total + pick(record), 0);
  const tokens = sum((record) => record.total_tokens);
  return {
    tools: sum((record) => record.tools_total),
    tokens,
    resident_tokens: sum((record) => record.resident_tokens),
    is_deferred: records.some((record) => record.is_deferred),
    wire_only_tokens: sum((record) => record.wire_only_tokens),
    instructions_tokens: sum((record) => record.instructions_tokens),
    share: tokens / window,
    most_expensive: mostExpensive(records, tokens),
    lists: records.map(listOf),
  };
}

/** The state of the newest list of each server. */
function listOf(record: DefinitionsRecord): ListSummary {
  return { server: record.server, state: listStateOf(record), tools: record.tools_total };
}

/** The state of a list, also in a record of an older version. */
function listStateOf({ list_state: state, is_complete: isComplete, ...list }: DefinitionsRecord) {
  if (state !== undefined) return state;
  if (isComplete) return "complete";
  return list.tools_total > 0 ? "cut_short" : "none";
}

/**
 * The definitions of a server after a newer record. A list that failed, or that no client requested, leaves those of an
 * earlier one as they are.
 */
export function newerDefinitions(
  known: DefinitionsRecord,
  newer: DefinitionsRecord,
): DefinitionsRecord {
  const state = listStateOf(newer);
  if (known.tools_total === 0 || newer.tools_total > 0) return newer;
  if (state === "failed") return { ...known, list_state: state };
  return state === "none" ? known : newer;
}

/** Of the definitions of all servers together; `total` are their tokens. */
function mostExpensive(
  records: readonly DefinitionsRecord[],
  total: number,
): readonly ExpensiveDefinition[] {
  return records
    .flatMap(({ server, tools }) => tools.map((tool) => ({ server, ...tool })))
    .toSorted((one, other) => other.tokens - one.tokens)
    .slice(0, expensiveToolsShownMax)
    .map((tool) => ({ ...tool, percent_total: percentOf(tool.tokens, total) }));
}

/** A share in percent with two digits, as in a record of definitions. */
function percentOf(tokens: number, total: number): number {
  return total === 0 ? 0 : Math.round((tokens / total) * 10_000) / 100;
}

/** Tools that were listed but not called; null without a record. `called` holds `server\ntool`. */
export function unusedTools(
  records: readonly DefinitionsRecord[],
  called: ReadonlySet<string>,
): UnusedSummary | null {
  if (records.length === 0) return null;
  const unused = records.flatMap((record) =>
    record.tools.filter((tool) => !called.has(`${record.server}\n${tool.name}`)),
  );
  return {
    unused: unused.length,
    listed: records.reduce((sum, record) => sum + record.tools_total, 0),
    tokens: unused.reduce((sum, tool) => sum + tool.tokens, 0),
    names: unused.map((tool) => tool.name),
  };
}
