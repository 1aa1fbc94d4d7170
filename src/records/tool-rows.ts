import { toolRowsMax } from "#kit/limits.ts";
import type { CostRange } from "./money/call-cost.ts";
import type { CallRecord } from "./record.ts";
import type { ToolRow, TotalRow } from "./summary.ts";
import { ToolTally } from "./tool-tally.ts";

type TalliedTool = Pick<ToolRow, "server" | "tool" | "method"> & { readonly tally: ToolTally };

export class ToolRows {
  readonly #tools = new Map<string, TalliedTool>();
  #newest: TalliedTool | undefined;
  readonly #total = new ToolTally();

  add(call: CallRecord, cost?: CostRange | null): void {
    this.#total.add(call, cost);
    this.#newest = this.#newest && isOf(this.#newest, call) ? this.#newest : this.#toolFor(call);
    this.#newest.tally.add(call, cost);
  }

  get total(): TotalRow {
    return this.#total.row();
  }

  get duplicateTokens(): number {
    return this.#total.duplicateTokens;
  }

  rows(): ToolRow[] {
    const total = this.#total.totalTokens;
    return [...this.#tools.values()]
      .map(({ server, tool, method, tally }) => ({
        server,
        tool,
        method,
        ...tally.row(),
        share: total === 0 ? 0 : tally.totalTokens / total,
        duplicate_tokens: tally.duplicateTokens,
        overhead: tally.overhead,
        ...(tally.shape && { shape: tally.shape }),
      }))
      .toSorted((one, other) => other.total_tokens - one.total_tokens || other.calls - one.calls);
  }

  #toolFor(call: CallRecord): TalliedTool {
    const { server, method } = call;
    const tool = rowName(call);
    const key = `${server}\n${method}\n${tool}`;
    const known = this.#tools.get(key);
    if (known) return known;
    if (this.#tools.size < toolRowsMax) return this.#addTool(key, { server, method, tool });
    const others = "(other)";
    return this.#tools.get(others) ?? this.#addTool(others, { server, method, tool: others });
  }

  #addTool(key: string, tool: Omit<TalliedTool, "tally">): TalliedTool {
    const added = { ...tool, tally: new ToolTally() };
    this.#tools.set(key, added);
    return added;
  }
}

function rowName({ tool, method }: Pick<CallRecord, "tool" | "method">): string {
  return tool ?? `(${method})`;
}

function isOf(row: TalliedTool, call: CallRecord): boolean {
  return row.server === call.server && row.method === call.method && row.tool === rowName(call);
}
