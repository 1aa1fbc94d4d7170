import type { Shown } from "./call-draft.ts";
import type { AlertRecord, CallRecord, CommonMembers, RecordBody } from "#records/record.ts";
import type { RiskThresholds } from "#tokens/cost/risk.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import { formatInSeconds } from "#kit/text/durations.ts";
import { toolRowsMax } from "#records/tool-rows.ts";

// Two or three identical calls in a row are normal: an agent makes them while it waits for a change.
export const repeatedCallsMin = 5;

type AlertBody = Omit<AlertRecord, keyof CommonMembers>;
type CallBody = Omit<CallRecord, keyof CommonMembers>;

export class CallAlerts {
  readonly #risk: RiskThresholds;
  readonly #heavyTools = new Set<string>(); // tools that already had the alert
  #lastCall: { readonly tool: string | null; readonly args: string | null } | undefined;
  #times = 0;

  constructor(risk: RiskThresholds) {
    this.#risk = risk;
  }

  // `shown` is undefined if the call was refused or cancelled, or came from an app.
  find(body: RecordBody, shown: Shown | undefined): readonly AlertBody[] {
    if (body.type !== "call" || body.method !== "tools/call") return none;
    if (!shown) return this.#findRepeatedCall(body);
    return [
      ...this.#findHeavyCall(body),
      ...this.#findRepeatedCall(body),
      ...findClientLimit(body, shown),
    ];
  }

  #findHeavyCall({ risk, tool, total_tokens: tokens }: CallBody): readonly AlertBody[] {
    const isReported = tool === null || this.#heavyTools.has(tool);
    const isFull = this.#heavyTools.size >= toolRowsMax;
    if (risk !== "critical" || isReported || isFull) return none;
    this.#heavyTools.add(tool);
    const [, , high] = this.#risk;
    const detail = `one call cost ${pluralize(tokens, "token")}`;
    return [makeAlert({ alert: "heavy_call", tool, limit: high, value: tokens, detail })];
  }

  // Alerts once per run of identical calls. Any other tool call ends the run.
  #findRepeatedCall({ tool, arguments_sha256: args }: CallBody): readonly AlertBody[] {
    const last = this.#lastCall;
    const isSame = args !== null && args === last?.args && tool === last.tool;
    this.#times = isSame ? this.#times + 1 : 1;
    this.#lastCall = { tool, args };
    if (this.#times !== repeatedCallsMin) return none;
    const value = this.#times;
    const detail = `called ${value} times in a row with the same arguments`;
    return [makeAlert({ alert: "repeated_call", tool, limit: repeatedCallsMin, value, detail })];
  }
}

const none: readonly AlertBody[] = [];

function findClientLimit(
  { tool, visible_tokens: shownTokens }: CallBody,
  { limited }: Shown,
): readonly AlertBody[] {
  if (!limited) return none;
  const wholeTokens = limited.tokens();
  const { alert: kind, value, limit, unit } = limited;
  // A `value` in tokens may come from a count that stopped just above the limit.
  const size = unit === "token" ? Math.max(value, wholeTokens) : value;
  const action =
    kind === "would_spill"
      ? `writes answers over ${formatCount(limit)} to a file`
      : `cuts answers at ${formatCount(limit)}`;
  const addition = limited.isFramed ? " with the text that the client adds" : "";
  const detail = `the answer has ${pluralize(size, unit)}${addition}; the client ${action}, ${describeRemainder(shownTokens, wholeTokens)}`;
  return [makeAlert({ alert: kind, tool, limit, value: size, detail })];
}

function describeRemainder(shown: number, whole: number): string {
  if (shown > whole) {
    return `but its notice takes ${pluralize(shown - whole, "token")} more than the text it replaces`;
  }
  if (shown === whole) return "but its notice takes as many tokens as the text it replaces";
  return `so the model reads ${pluralize(shown, "token")} with the client's notice, instead of ${formatCount(whole)}`;
}

function makeAlert(
  facts: Pick<AlertBody, "alert" | "tool" | "limit" | "value" | "detail">,
): AlertBody {
  return { type: "alert", budget: null, ...facts };
}

/** Ignores sampling, which waits for a model or a person. The time for which mcp-meter held the call does not count. */
export function findSlowCall(
  body: RecordBody,
  heldMs: number,
  slowMs: number | undefined,
): readonly AlertBody[] {
  const isMeasured = body.type === "call" && body.method !== "sampling/createMessage";
  if (slowMs === undefined || !isMeasured || body.outcome === "refused") return none;
  const value = Math.round(body.duration_ms - heldMs);
  if (value <= slowMs) return none;
  const detail = `took ${formatInSeconds(value)}; --slow is ${formatInSeconds(slowMs)}`;
  return [makeAlert({ alert: "slow_call", tool: body.tool, limit: slowMs, value, detail })];
}
