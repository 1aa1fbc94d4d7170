import { toolRowsMax } from "#limits.ts";
import type { CallRecord } from "./record.ts";
import type { ToolRow, TotalRow } from "./summary.ts";
import { ToolTally } from "./tool-tally.ts";

type TalliedTool = Pick<ToolRow, "server" | "tool" | "method"> & { readonly tally: ToolTally };

/** Calls added up by server, method and tool, and in total. Tools beyond `toolRowsMax` share one row. */
export class ToolRows {
  readonly #tools = new Map<string, TalliedTool>();
  readonly #total = new ToolTally();

  add(call: CallRecord): void {
    this.#total.add(call);
    this.#toolFor(call).tally.add(call);
  }

  get total(): TotalRow {
    return this.#total.row();
  }

  get duplicateTokens(): number {
    return this.#total.duplicateTokens;
  }

  /** A row per tool, most expensive first. */
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
      }))
      .toSorted((one, other) => other.total_tokens - one.total_tokens || other.calls - one.calls);
  }

  #toolFor({ server, method, tool: name }: CallRecord): TalliedTool {
    const tool = name ?? `(${method})`;
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
