import type { Shown } from "./draft.ts";
import type { AlertRecord, CallRecord, CommonMembers, RecordBody } from "#records/record.ts";
import type { RiskThresholds } from "#tokens/cost/bill.ts";
import { formatCount, formatDuration, pluralize } from "#kit/text/numbers.ts";
import { LockWatch } from "#lock/lock-watch.ts";
import type { MeterOptions } from "./event.ts";
import { noTrim, type TrimRules } from "#lock/trim-list.ts";
import { type Budget, namesServer } from "../budgets/budget.ts";
import { findNearestName, isWildcard } from "#kit/text/match-names.ts";
import { budgetSentences } from "../budgets/sentences.ts";
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
  { tool, visible_tokens: left }: CallBody,
  { limited }: Shown,
): readonly AlertBody[] {
  if (!limited) return none;
  const whole = limited.tokens();
  const { alert: kind, value, limit, unit } = limited;
  const size = unit === "token" ? Math.max(value, whole) : value;
  const action =
    kind === "would_spill"
      ? `writes answers over ${formatCount(limit)} to a file`
      : `cuts answers at ${formatCount(limit)}`;
  const frame = limited.isFramed ? " with the text that the client adds" : "";
  const detail = `the answer has ${pluralize(size, unit)}${frame}; the client ${action}, ${describeGain(left, whole)}`;
  return [makeAlert({ alert: kind, tool, limit, value: size, detail })];
}

// The client's notice may be longer than the text that it replaces.
function describeGain(left: number, whole: number): string {
  if (left > whole) {
    return `but its notice takes ${pluralize(left - whole, "token")} more than the text it replaces`;
  }
  if (left === whole) return "but its notice takes as many tokens as the text it replaces";
  return `and ${formatCount(left)} of ${pluralize(whole, "token")} remain, including its notice`;
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
    const { tools, view_tools: viewTools = [], hidden_tools: hiddenTools = [] } = body;
    const names = [...tools, ...viewTools, ...hiddenTools].map(({ name }) => name);
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
