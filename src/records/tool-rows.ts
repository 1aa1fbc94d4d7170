import { type CostRange, addCosts, noCost } from "./money/price-book.ts";
import { addUp } from "#kit/text/numbers.ts";
import { type CallRecord, errorOutcomes, type Outcome } from "./record.ts";
import type { ToolRow, TotalRow, ShapeSum, RepeatSummary } from "./summary.ts";
import type { Overhead } from "#tokens/cost/answer-overhead/overhead.ts";
import { pickHigherRisk, type Risk } from "#tokens/cost/risk.ts";
import type { DataShape } from "#tokens/cost/data-shape.ts";

// Tools beyond this number share the row `(other)`.
export const toolRowsMax = 1_000;

// The ratio between neighboring buckets. Percentiles are off by at most 1 %, half a bucket.
const bucketFactor = 1.02;

export class Durations {
  readonly #buckets = new Map<number, number>();
  #count = 0;

  add(durationMs: number): void {
    const bucket = durationMs < 0.001 ? zeroBucket : Math.round(Math.log(durationMs) / logFactor);
    this.#buckets.set(bucket, (this.#buckets.get(bucket) ?? 0) + 1);
    this.#count += 1;
  }

  percentile(share: number): number {
    const rank = Math.max(1, Math.ceil(share * this.#count));
    let counted = 0;
    for (const bucket of [...this.#buckets.keys()].toSorted((a, b) => a - b)) {
      counted += this.#buckets.get(bucket) ?? 0;
      if (counted >= rank) return bucket === zeroBucket ? 0 : bucketFactor ** bucket;
    }
    return 0;
  }
}

const logFactor = Math.log(bucketFactor);

// For durations below a microsecond: the logarithm of zero is infinite.
const zeroBucket = -1_000;

const answeredOutcomes: ReadonlySet<Outcome> = new Set(["ok", ...errorOutcomes]);

// True for a refused call that ran: the server's answer was withheld.
export function isWithheld({
  outcome,
  output_bytes: bytes,
}: Pick<CallRecord, "outcome" | "output_bytes">): boolean {
  return outcome === "refused" && bytes > 0;
}

export class ToolTally {
  #calls = 0;
  readonly #outcomes: { [outcome in Outcome]: number } = {
    ok: 0,
    tool_error: 0,
    rpc_error: 0,
    cancelled: 0,
    refused: 0,
    abandoned: 0,
  };
  #inputTokens = 0;
  #outputTokens = 0;
  #wireTokens = 0;
  #mostTokens = 0;
  #refusedTokens = 0;
  #withheld = 0;
  #largestCallTokens = 0;
  #duplicateTokens = 0;
  #risk: Risk = "low";
  #overhead: Overhead | undefined;
  #shape: ShapeSum | undefined;
  readonly #durations = new Durations();
  #cost: CostRange | null | undefined;

  add(call: CallRecord, cost?: CostRange | null): void {
    if (cost !== undefined) this.#addCost(cost);
    this.#calls += 1;
    this.#outcomes[call.outcome] += 1;
    this.#inputTokens += call.input_tokens;
    this.#outputTokens += call.output_tokens;
    this.#wireTokens += call.wire_tokens;
    this.#mostTokens += call.most_tokens ?? call.total_tokens;
    this.#duplicateTokens += call.duplicate_tokens;
    if (call.outcome === "refused") this.#addRefused(call);
    else this.#raiseMaxima(call);
    if (call.overhead) this.#overhead = addOverheads(this.#overhead, call.overhead);
    if (call.shape) this.#shape = addShape(this.#shape ?? emptyShape, call.shape);
    if (answeredOutcomes.has(call.outcome)) this.#durations.add(call.duration_ms);
  }

  #addCost(cost: CostRange | null): void {
    this.#cost = cost === null ? (this.#cost ?? null) : addCosts(this.#cost ?? noCost, cost);
  }

  #addRefused(call: CallRecord): void {
    this.#refusedTokens += call.total_tokens;
    if (isWithheld(call)) this.#withheld += 1;
  }

  #raiseMaxima({ total_tokens: tokens, risk }: CallRecord): void {
    this.#largestCallTokens = Math.max(this.#largestCallTokens, tokens);
    this.#risk = pickHigherRisk(this.#risk, risk);
  }

  get totalTokens(): number {
    return this.#inputTokens + this.#outputTokens;
  }

  get duplicateTokens(): number {
    return this.#duplicateTokens;
  }

  get overhead(): Overhead | null {
    return this.#overhead ?? null;
  }

  get shape(): ShapeSum | undefined {
    return this.#shape;
  }

  summarize(): TotalRow {
    const outcomes = this.#outcomes;
    const averagedCalls = this.#calls - outcomes.refused - outcomes.cancelled;
    return {
      calls: this.#calls,
      errors: addUp(errorOutcomes.map((outcome) => outcomes[outcome])),
      refused: outcomes.refused,
      withheld: this.#withheld,
      cancelled: outcomes.cancelled,
      abandoned: outcomes.abandoned,
      input_tokens: this.#inputTokens,
      output_tokens: this.#outputTokens,
      wire_tokens: this.#wireTokens,
      total_tokens: this.totalTokens,
      ...(this.#mostTokens > this.totalTokens && { most_tokens: this.#mostTokens }),
      refused_tokens: this.#refusedTokens,
      average_tokens:
        averagedCalls === 0
          ? 0
          : Math.round((this.totalTokens - this.#refusedTokens) / averagedCalls),
      max_tokens: this.#largestCallTokens,
      p95_ms: this.#durations.percentile(0.95),
      risk: this.#risk,
      ...(this.#cost === undefined ? {} : { cost_usd: this.#cost }),
    };
  }
}

function addOverheads(sum: Overhead | undefined, more: Overhead): Overhead {
  if (!sum) return more;
  const jsonTokens = sum.json_tokens + more.json_tokens;
  return {
    user_only_tokens: sum.user_only_tokens + more.user_only_tokens,
    preamble_tokens: sum.preamble_tokens + more.preamble_tokens,
    json_tokens: jsonTokens,
    minified_tokens: sum.minified_tokens + more.minified_tokens,
    structure_ratio:
      jsonTokens === 0
        ? 0
        : (sum.structure_ratio * sum.json_tokens + more.structure_ratio * more.json_tokens) /
          jsonTokens,
  };
}

const emptyShape: ShapeSum = {
  tables: 0,
  rows: 0,
  max_rows: 0,
  max_columns: 0,
  truncated: 0,
  cached: 0,
  max_row_limit: 0,
  limit_reached: 0,
};

function addShape(
  sum: ShapeSum,
  { rows, columns = 0, truncated, cached_result: cached, row_limit: limit = 0 }: DataShape,
): ShapeSum {
  return {
    tables: sum.tables + Number(rows !== undefined),
    rows: sum.rows + (rows ?? 0),
    max_rows: Math.max(sum.max_rows, rows ?? 0),
    max_columns: Math.max(sum.max_columns, columns),
    truncated: sum.truncated + Number(truncated === true),
    cached: sum.cached + Number(cached === true),
    max_row_limit: Math.max(sum.max_row_limit, limit),
    limit_reached: sum.limit_reached + Number(limit > 0 && (rows ?? 0) >= limit),
  };
}

type TalliedTool = Pick<ToolRow, "server" | "tool" | "method"> & { readonly tally: ToolTally };

export class ToolRows {
  readonly #tools = new Map<string, TalliedTool>();
  #lastTool: TalliedTool | undefined;
  readonly #total = new ToolTally();

  add(call: CallRecord, cost?: CostRange | null): void {
    this.#total.add(call, cost);
    this.#lastTool =
      this.#lastTool && isSameRow(this.#lastTool, call)
        ? this.#lastTool
        : this.#findOrAddTool(call);
    this.#lastTool.tally.add(call, cost);
  }

  get total(): TotalRow {
    return this.#total.summarize();
  }

  get duplicateTokens(): number {
    return this.#total.duplicateTokens;
  }

  summarize(): ToolRow[] {
    const total = this.#total.totalTokens;
    return [...this.#tools.values()]
      .map(({ server, tool, method, tally }) => ({
        server,
        tool,
        method,
        ...tally.summarize(),
        share: total === 0 ? 0 : tally.totalTokens / total,
        duplicate_tokens: tally.duplicateTokens,
        overhead: tally.overhead,
        ...(tally.shape && { shape: tally.shape }),
      }))
      .toSorted((a, b) => b.total_tokens - a.total_tokens || b.calls - a.calls);
  }

  #findOrAddTool(call: CallRecord): TalliedTool {
    const { server, method } = call;
    const tool = nameRow(call);
    const key = `${server}\n${method}\n${tool}`;
    const known = this.#tools.get(key);
    if (known) return known;
    if (this.#tools.size < toolRowsMax) return this.#addTool(key, { server, method, tool });
    const otherTools = "(other)";
    const otherRow = this.#tools.get(otherTools);
    return otherRow ?? this.#addTool(otherTools, { server, method, tool: otherTools });
  }

  #addTool(key: string, tool: Omit<TalliedTool, "tally">): TalliedTool {
    const talliedTool = { ...tool, tally: new ToolTally() };
    this.#tools.set(key, talliedTool);
    return talliedTool;
  }
}

function nameRow({ tool, method }: Pick<CallRecord, "tool" | "method">): string {
  return tool ?? `(${method})`;
}

function isSameRow(row: TalliedTool, call: CallRecord): boolean {
  return row.server === call.server && row.method === call.method && row.tool === nameRow(call);
}

export const repeatsRememberedMax = 10_000;

// Identical calls of one tool. `calls` and `tokens` leave out the first call.
type Repeat = { readonly tool: string; readonly order: number; calls: number; tokens: number };

type ToolCalls = {
  readonly session: string;
  readonly server: string;
  readonly tool: string;
  readonly repeats: Map<string, Repeat>;
};

export class RepeatedCalls {
  readonly #tools = new Map<string, ToolCalls>();
  #lastCalls: ToolCalls | undefined;
  #remembered = 0;
  #repeatNotes = 0;
  #savedTokens = 0;

  add(call: CallRecord): void {
    const { tool, arguments_sha256: args, saved_tokens: saved } = call;
    if (saved !== undefined) this.#repeatNotes += 1;
    this.#savedTokens += saved ?? 0;
    if (tool === null || args === null || call.outcome === "refused") return;
    const { repeats } = this.#findOrAddCalls(tool, call);
    const repeat = repeats.get(args);
    if (repeat) {
      repeat.calls += 1;
      repeat.tokens += call.total_tokens;
    } else if (this.#remembered < repeatsRememberedMax) {
      repeats.set(args, { tool, order: this.#remembered, calls: 0, tokens: 0 });
      this.#remembered += 1;
    }
  }

  summarize(): RepeatSummary {
    const repeats = [...this.#tools.values()]
      .flatMap((tool) => [...tool.repeats.values()])
      .filter(({ calls }) => calls > 0);
    const [mostRepeated] = repeats.toSorted((a, b) => b.calls - a.calls || a.order - b.order);
    return {
      calls: repeats.reduce((sum, { calls }) => sum + calls, 0),
      tokens: repeats.reduce((sum, { tokens }) => sum + tokens, 0),
      tool: mostRepeated?.tool ?? null,
      ...(this.#repeatNotes > 0 && { notes: this.#repeatNotes, saved_tokens: this.#savedTokens }),
    };
  }

  #findOrAddCalls(tool: string, { session_id: session, server }: CallRecord): ToolCalls {
    const last = this.#lastCalls;
    const isSame = last?.tool === tool && last.session === session && last.server === server;
    if (isSame) return last;
    const key = `${session}\n${server}\n${tool}`;
    const calls = this.#tools.get(key) ?? { session, server, tool, repeats: new Map() };
    if (this.#remembered < repeatsRememberedMax) this.#tools.set(key, calls);
    this.#lastCalls = calls;
    return calls;
  }
}
