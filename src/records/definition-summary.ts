import { sumBy } from "#kit/text/numbers.ts";
import {
  computePercent,
  countTokensToLoad,
  sumSkills,
  type ToolDefinition,
} from "#tokens/cost/definitions-cost.ts";
import type { CallRecord, DefinitionsRecord, MeterRecord } from "./record.ts";
import type { DefinitionsSummary, UnusedSummary } from "./summary.ts";
import { toolRowsMax } from "./tool-rows.ts";
import type { ListState } from "#tokens/cost/tool-list.ts";

const expensiveToolsShownMax = 5;

export function sumDefinitions(
  records: readonly DefinitionsRecord[],
  window: number,
  called: CalledTools,
  reordered = 0,
): DefinitionsSummary | null {
  if (records.length === 0) return null;
  const tokens = sumBy(records, (record) => record.total_tokens);
  return {
    tools: sumBy(records, (record) => record.tools_total),
    tokens,
    resident_tokens: sumBy(records, (record) => record.resident_tokens),
    is_deferred: records.some((record) => record.is_deferred),
    loaded_tools: sumBy(records, (record) => findLoadedTools(record, called).length),
    loaded_tokens: sumBy(records, (record) => sumLoadedTokens(record, called)),
    wire_only_tokens: sumBy(records, (record) => record.wire_only_tokens),
    instructions_tokens: sumBy(records, (record) => record.instructions_tokens),
    share: tokens / window,
    most_expensive: records
      .flatMap(({ server, tools }) => tools.map((tool) => ({ server, ...tool })))
      .toSorted((a, b) => b.tokens - a.tokens)
      .slice(0, expensiveToolsShownMax)
      .map((tool) => ({ ...tool, percent_total: computePercent(tool.tokens, tokens) })),
    lists: records.map((record) => ({
      server: record.server,
      state: readListState(record),
      tools: record.tools_total,
      ...(record.hidden_tools === undefined ? {} : { hidden_tools: record.hidden_tools.length }),
    })),
    ...sumSkills(records.flatMap(({ skills = [] }) => skills)),
    ...sumTrimmed(records),
    ...(reordered > 0 ? { reordered } : {}),
    ...findCommonSource(records),
  };
}

function sumTrimmed(
  records: readonly DefinitionsRecord[],
): Pick<DefinitionsSummary, "hidden_tools" | "untrimmed_tokens"> {
  if (records.every((record) => record.untrimmed_tokens === undefined)) return {};
  return {
    hidden_tools: sumBy(records, (record) => record.hidden_tools?.length ?? 0),
    untrimmed_tokens: sumBy(records, (record) => record.untrimmed_tokens ?? record.total_tokens),
  };
}

function findCommonSource(
  records: readonly DefinitionsRecord[],
): Pick<DefinitionsSummary, "counted_by"> {
  const sources = records
    .filter((record) => record.tools_total > 0)
    .map((record) => record.counted_by);
  const [first] = sources;
  const isSame = sources.every(
    (source) => source?.maker === first?.maker && source?.model === first?.model,
  );
  return first && isSame ? { counted_by: first } : {};
}

// Older records lack `list_state`.
function readListState(record: DefinitionsRecord): ListState {
  if (record.list_state !== undefined) return record.list_state;
  if (record.is_complete) return "complete";
  return record.tools_total > 0 ? "cut_short" : "none";
}

// If the newer list is empty because it failed or was not requested, keeps the known list.
export function mergeDefinitions(
  known: DefinitionsRecord,
  newer: DefinitionsRecord,
): DefinitionsRecord {
  const state = readListState(newer);
  if (known.tools_total === 0 || newer.tools_total > 0) return newer;
  if (state === "failed") return { ...known, list_state: state };
  return state === "none" ? known : newer;
}

export function pickCommonNames(
  before: readonly string[],
  after: readonly string[],
): { readonly before: readonly string[]; readonly after: readonly string[] } {
  const [earlier, later] = [new Set(before), new Set(after)];
  return {
    before: [...earlier].filter((name) => later.has(name)),
    after: [...later].filter((name) => earlier.has(name)),
  };
}

export function isReordered(known: DefinitionsRecord, newer: DefinitionsRecord): boolean {
  if (known.session_id !== newer.session_id) return false;
  const { before, after } = pickCommonNames(
    known.tools.map(({ name }) => name),
    newer.tools.map(({ name }) => name),
  );
  return before.some((name, index) => name !== after[index]);
}

function findLoadedTools(
  record: DefinitionsRecord,
  called: CalledTools,
): readonly ToolDefinition[] {
  if (!record.is_deferred) return [];
  const isLoaded = (tool: ToolDefinition): boolean =>
    countTokensToLoad(tool) > 0 && called.has(`${record.server}\n${tool.name}`);
  return record.tools.filter(isLoaded);
}

function sumLoadedTokens(record: DefinitionsRecord, called: CalledTools): number {
  const loaded = findLoadedTools(record, called);
  const loadingTokens = loaded.length > 0 ? (record.loading_tokens ?? 0) : 0;
  return loaded.reduce((sum, tool) => sum + countTokensToLoad(tool), loadingTokens);
}

// Sums the tokens that the definitions and calls of a server add to the context.
export class SessionContext {
  #definitions: DefinitionsRecord | undefined;
  readonly #called = new Set<string>();
  #definitionTokens = 0;
  #callTokens = 0;
  #window = 0;

  add(record: MeterRecord): void {
    if (record.type === "session") this.#window = record.window;
    if (record.type === "definitions") {
      this.#definitions = this.#definitions ? mergeDefinitions(this.#definitions, record) : record;
      this.#updateDefinitionTokens();
    }
    if (record.type !== "call") return;
    this.#callTokens += record.total_tokens;
    const called = makeCalledToolKey(record);
    const isFull = this.#called.size >= calledToolsMax;
    if (called === undefined || this.#called.has(called) || isFull) return;
    this.#called.add(called);
    if (this.#definitions?.is_deferred === true) this.#updateDefinitionTokens();
  }

  get tokens(): number {
    return this.#definitionTokens + this.#callTokens;
  }

  get definitionTokens(): number {
    return this.#definitionTokens;
  }

  get share(): number | undefined {
    return this.#window > 0 ? this.tokens / this.#window : undefined;
  }

  #updateDefinitionTokens(): void {
    const records = this.#definitions ? [this.#definitions] : [];
    const sums = sumDefinitions(records, this.#window, this.#called);
    this.#definitionTokens = sums ? sums.resident_tokens + sums.loaded_tokens : 0;
  }
}

// Keys of tools that were called: `SERVER\nTOOL`.
export type CalledTools = ReadonlySet<string>;

export const calledToolsMax = 10 * toolRowsMax;

export function makeCalledToolKey({ server, method, tool }: CallRecord): string | undefined {
  return method === "tools/call" && tool !== null ? `${server}\n${tool}` : undefined;
}

type ListedTools = Pick<DefinitionsRecord, "server" | "tools" | "tools_total" | "is_deferred">;

// Tools in older records lack `resident_tokens` and `context_tokens`.
function countUnusedTokens(list: ListedTools, tool: ToolDefinition): number {
  if (list.is_deferred) return tool.resident_tokens ?? tool.name_tokens;
  return tool.context_tokens ?? tool.tokens;
}

export function sumUnusedTools(
  records: readonly ListedTools[],
  called: CalledTools,
): UnusedSummary | null {
  if (records.length === 0) return null;
  const unused = records.flatMap((record) =>
    record.tools
      .filter((tool) => !called.has(`${record.server}\n${tool.name}`))
      .map((tool) => ({ name: tool.name, tokens: countUnusedTokens(record, tool) })),
  );
  return {
    unused: unused.length,
    listed: records.reduce((sum, record) => sum + record.tools_total, 0),
    tokens: unused.reduce((sum, tool) => sum + tool.tokens, 0),
    names: unused.map((tool) => tool.name),
  };
}
