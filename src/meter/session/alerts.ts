import type { Shown } from "./call-draft.ts";
import type {
  AlertRecord,
  CallRecord,
  CommonMembers,
  DefinitionsRecord,
  ListChange,
  MeterRecord,
  RecordBody,
} from "#records/record.ts";
import type { DefinitionRules } from "#tokens/cost/client-profiles/client-profile.ts";
import { countTokensToLoad, type ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { formatCount, formatDuration, pluralize } from "#kit/text/numbers.ts";
import { LockWatch } from "#lock/lock-watch.ts";
import type { MeterOptions } from "./event.ts";
import { noTrim, type TrimRules } from "#lock/trim-list.ts";
import { type Budget, namesServer, budgetSentences } from "../budgets/budget.ts";
import { findNearestName, isWildcard } from "#kit/text/match-names.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

// Polling agents repeat a call two or three times.
export const repeatedCallsMin = 5;

type AlertBody = Omit<AlertRecord, keyof CommonMembers>;
type CallBody = Omit<CallRecord, keyof CommonMembers>;

export class Alerts {
  readonly #risk: RiskThresholds;
  readonly #heavy = new Set<string>();
  #lastCall: { readonly tool: string | null; readonly args: string | null } = noCall;
  #times = 0;

  constructor(risk: RiskThresholds) {
    this.#risk = risk;
  }

  // `shown` is undefined if the model reads no answer of the server.
  find(body: RecordBody, shown: Shown | undefined): readonly AlertBody[] {
    if (body.type !== "call" || body.method !== "tools/call") return none;
    if (!shown) return this.#findRepeatedCall(body);
    return [
      ...this.#findHeavyCall(body),
      ...this.#findRepeatedCall(body),
      ...findInterference(body, shown),
    ];
  }

  #findHeavyCall({ risk, tool, total_tokens: tokens }: CallBody): readonly AlertBody[] {
    const isKnown = tool === null || this.#heavy.has(tool) || this.#heavy.size >= toolRowsMax;
    if (risk !== "critical" || isKnown) return none;
    this.#heavy.add(tool);
    const [, , high] = this.#risk;
    const detail = `one call cost ${pluralize(tokens, "token")}`;
    return [makeAlert({ alert: "heavy_call", tool, limit: high, value: tokens, detail })];
  }

  // Once per run of identical calls, which any other call ends.
  #findRepeatedCall({ tool, arguments_sha256: args }: CallBody): readonly AlertBody[] {
    const isSame = args !== null && args === this.#lastCall.args && tool === this.#lastCall.tool;
    this.#times = isSame ? this.#times + 1 : 1;
    this.#lastCall = { tool, args };
    if (this.#times !== repeatedCallsMin) return none;
    const value = this.#times;
    const detail = `called ${value} times in a row with the same arguments`;
    return [makeAlert({ alert: "repeated_call", tool, limit: repeatedCallsMin, value, detail })];
  }
}

const none: readonly AlertBody[] = [];

const noCall = { tool: null, args: null };

function findInterference(
  { tool, visible_tokens: shownTokens }: CallBody,
  { limited }: Shown,
): readonly AlertBody[] {
  if (!limited) return none;
  const wholeTokens = limited.tokens();
  const { alert: kind, value, limit, unit } = limited;
  const size = unit === "token" ? Math.max(value, wholeTokens) : value;
  const action =
    kind === "would_spill"
      ? `writes answers over ${formatCount(limit)} to a file`
      : `cuts answers at ${formatCount(limit)}`;
  const frame = limited.isFramed ? " with the text that the client adds" : "";
  const detail = `the answer has ${pluralize(size, unit)}${frame}; the client ${action}, ${describeGain(shownTokens, wholeTokens)}`;
  return [makeAlert({ alert: kind, tool, limit, value: size, detail })];
}

// The client's notice may be longer than the text that it replaces.
function describeGain(shown: number, whole: number): string {
  if (shown > whole) {
    return `but its notice takes ${pluralize(shown - whole, "token")} more than the text it replaces`;
  }
  if (shown === whole) return "but its notice takes as many tokens as the text it replaces";
  return `and ${formatCount(shown)} of ${pluralize(whole, "token")} remain, including its notice`;
}

function makeAlert(
  facts: Pick<AlertBody, "alert" | "tool" | "limit" | "value" | "detail">,
): AlertBody {
  return { type: "alert", budget: null, ...facts };
}

export class ListAlerts {
  readonly #lock: LockWatch | undefined;
  readonly #names: UnmatchedNames;

  constructor({ lock, gate, trim = noTrim }: Pick<MeterOptions, "lock" | "gate" | "trim">) {
    this.#lock = lock && new LockWatch(lock);
    this.#names = new UnmatchedNames(gate?.budgets ?? [], trim);
  }

  find(body: RecordBody, server: string): RecordBody[] {
    return [...(this.#lock?.makeAlerts(body) ?? []), ...this.#names.find(body, server)];
  }
}

/** Not for sampling, which waits for a model or a person. Does not count time held by mcp-meter. */
export function findSlowCall(
  body: RecordBody,
  heldMs: number,
  slowMs: number | undefined,
): readonly AlertBody[] {
  const isMeasured = body.type === "call" && body.method !== "sampling/createMessage";
  if (slowMs === undefined || !isMeasured || body.outcome === "refused") return none;
  const value = Math.round(body.duration_ms - heldMs);
  if (value <= slowMs) return none;
  const detail = `took ${formatDuration(value)}; --slow is ${formatDuration(slowMs)}`;
  return [makeAlert({ alert: "slow_call", tool: body.tool, limit: slowMs, value, detail })];
}

type NamedTool = Pick<Budget, "tool" | "spec" | "limit">;

/** Budgets, and options that hide tools, whose tool the server does not list. */
export class UnmatchedNames {
  readonly #named: readonly NamedTool[];
  readonly #reported = new Set<string>();

  constructor(budgets: readonly Budget[], { hide, only }: TrimRules = noTrim) {
    this.#named = [...budgets, ...nameTools("--hide", hide), ...nameTools("--only", only)];
  }

  find(body: RecordBody, server: string): RecordBody[] {
    if (body.type !== "definitions" || !body.is_complete) return [];
    const { tools, view_tools: appOnlyTools = [], hidden_tools: hiddenTools = [] } = body;
    const names = [...tools, ...appOnlyTools, ...hiddenTools].map(({ name }) => name);
    if (names.length === 0) return [];
    // An incomplete list may name the tool further down.
    if (body.tools_total > body.tools.length) return [];
    return this.#named.flatMap((named) => {
      const { tool, spec } = named;
      // A pattern is often meant for other servers.
      if (tool === null || isWildcard(tool) || this.#reported.has(spec)) return [];
      if (names.includes(tool)) return [];
      this.#reported.add(spec);
      return [makeUnmatchedAlert({ ...named, tool }, names, server)];
    });
  }
}

function nameTools(option: string, tools: readonly string[]): readonly NamedTool[] {
  return tools.map((tool) => ({ tool, spec: `${option} ${tool}`, limit: 0 }));
}

function makeUnmatchedAlert(
  { tool, spec, limit }: NamedTool & { readonly tool: string },
  names: readonly string[],
  server: string,
): RecordBody {
  const isOption = spec.startsWith("--");
  const isServer = !isOption && namesServer(tool, server);
  return {
    type: "alert",
    alert: "unknown_tool",
    tool,
    budget: spec,
    limit,
    value: names.length,
    detail: isServer
      ? budgetSentences.budgetNamesServer(spec, names.length)
      : budgetSentences.budgetUnmatched(spec, names.length, findNearestName(tool, names)),
  };
}

// Providers keep a cached prompt for five minutes after its last use, or longer.
export const cachedPromptMaxMs = 5 * 60_000;

// Lists that may follow each other between two calls. After more, the change is not counted.
export const followedListsMax = 8;

// The beginning of a prompt: the definitions, and behind them the instructions.
type PromptList = { readonly tools: readonly ToolDefinition[]; readonly instructionTokens: number };

type PromptContext = {
  readonly rules: Pick<DefinitionRules, "sortsTools" | "keepsTools">;
  readonly windowTokens: number;
};

const noCalls = { beganMs: -Infinity, endedMs: -Infinity, tokens: 0 };

/**
 * Finds calls that were made with another list of tools than the calls before them, and the cached
 * tokens behind the change, which the provider had to write again.
 */
export class ListChanges {
  // First the list that the model had for the newest calls, then later ones.
  #lists: { readonly list: PromptList; readonly sinceMs: number }[] = [];
  #conversation: string | undefined;
  #calls = { ...noCalls }; // the newest, which the model may have made in one request
  #cachedTokens = 0; // of all calls before them

  note(record: MeterRecord, monoMs: number, context: PromptContext): MeterRecord {
    if (record.type === "session") this.#calls.beganMs = -Infinity;
    if (record.type === "definitions" && record.is_complete) this.#addList(record, monoMs, context);
    if (record.type !== "call" || record.method === "sampling/createMessage") return record;
    const change =
      record.method === "tools/call" ? this.#addCall(record, monoMs, context) : undefined;
    // If a script of the client gets the answer, its model may read less.
    if (record.visible !== "unknown") this.#calls.tokens += record.total_tokens;
    return change ? { ...record, list_change: change } : record;
  }

  #addList(record: DefinitionsRecord, sinceMs: number, { rules }: PromptContext): void {
    const newest = this.#lists.at(-1)?.list;
    const list = makePromptList(record, newest, rules);
    if (newest && findFirstChange(newest, list) === undefined) return;
    this.#lists.push({ list, sinceMs });
    if (this.#lists.length <= followedListsMax) return;
    this.#lists = this.#lists.slice(-1);
    this.#calls.beganMs = -Infinity;
  }

  #addCall(call: CallRecord, endedMs: number, context: PromptContext): ListChange | undefined {
    const conversation = call.thread_id_sha256 ?? call.client_session_id_sha256;
    if (conversation !== this.#conversation) {
      this.#conversation = conversation;
      this.#calls = { ...noCalls };
      this.#cachedTokens = 0;
    }
    const beganMs = endedMs - call.duration_ms;
    // The call overlaps the newest ones: the same request of the model made them.
    if (beganMs < this.#calls.endedMs) {
      this.#calls.endedMs = Math.max(this.#calls.endedMs, endedMs);
      return undefined;
    }
    const change = this.#findChange(beganMs, context);
    this.#cachedTokens += this.#calls.tokens;
    this.#calls = { beganMs, endedMs, tokens: 0 };
    return change;
  }

  #findChange(beganMs: number, { windowTokens }: PromptContext): ListChange | undefined {
    const current = this.#lists.findLastIndex(({ sinceMs }) => sinceMs <= beganMs);
    if (current <= 0) return undefined;
    const [before, after] = [this.#lists[0]?.list, this.#lists[current]?.list];
    this.#lists = this.#lists.slice(current);
    const isCached = beganMs - this.#calls.beganMs <= cachedPromptMaxMs;
    const changed = isCached && before && after ? findFirstChange(before, after) : undefined;
    if (!before || !after || changed === undefined) return undefined;
    const tokens = countRewrittenTokens(before, after, changed) + this.#cachedTokens;
    if (tokens === 0) return undefined;
    const kind = hasSameTools(before, after) ? "order" : "tools";
    return { kind, rewritten_tokens: Math.min(tokens, windowTokens) };
  }
}

// Deferred definitions are loaded behind the beginning of a prompt, if at all.
function makePromptList(
  record: DefinitionsRecord,
  newest: PromptList | undefined,
  { sortsTools, keepsTools }: PromptContext["rules"],
): PromptList {
  const listed = record.tools.filter(
    (tool) => !record.is_deferred || countTokensToLoad(tool) === 0,
  );
  const before = new Map(newest?.tools.map((tool) => [tool.name, tool]));
  const shown = new Map<string, ToolDefinition>(keepsTools ? before : []);
  for (const tool of listed) {
    const earlier = before.get(tool.name);
    const isUnchanged = earlier && (keepsTools === true || isSameForModel(earlier, tool));
    shown.set(tool.name, isUnchanged ? earlier : tool);
  }
  const tools = [...shown.values()];
  if (sortsTools) tools.sort((a, b) => (a.name < b.name ? -1 : 1));
  const definitionTokens = listed.reduce((sum, tool) => sum + countInPrompt(tool), 0);
  return { tools, instructionTokens: Math.max(0, record.resident_tokens - definitionTokens) };
}

// Models read no `outputSchema`, `annotations` and the like.
function isSameForModel(a: ToolDefinition, b: ToolDefinition): boolean {
  const isSameSize =
    a.description_tokens === b.description_tokens && a.schema_tokens === b.schema_tokens;
  return a.sha256 === b.sha256 || (isSameSize && a.wire_only_tokens !== b.wire_only_tokens);
}

function countInPrompt({ tokens, context_tokens: context }: ToolDefinition): number {
  return context ?? tokens;
}

function findFirstChange({ tools: before }: PromptList, { tools: after }: PromptList) {
  const changed = after.findIndex((tool, at) => tool.sha256 !== before[at]?.sha256);
  if (changed >= 0) return changed;
  return before.length > after.length ? after.length : undefined;
}

// Unchanged definitions from `index` on, and the instructions: the cache no longer covers them.
function countRewrittenTokens(before: PromptList, after: PromptList, index: number): number {
  const known = new Set(before.tools.map(({ sha256 }) => sha256));
  return after.tools
    .slice(index)
    .filter(({ sha256 }) => known.has(sha256))
    .reduce(
      (sum, tool) => sum + countInPrompt(tool),
      Math.min(before.instructionTokens, after.instructionTokens),
    );
}

function hasSameTools(...lists: readonly PromptList[]): boolean {
  const [before, after] = lists.map(({ tools }) => tools.map(({ sha256 }) => sha256).toSorted());
  return String(before) === String(after);
}
