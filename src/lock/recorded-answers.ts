import type { MeterRecord } from "#records/record.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";

// Successful answers of a tool in recorded sessions.
export type RecordedSizes = {
  readonly calls: number;
  readonly average_tokens: number;
  readonly max_tokens: number;
};

// Counts sessions of this server, and any session that lists one of these tools.
export class RecordedAnswers {
  readonly #server: string | null;
  readonly #hashes: ReadonlySet<string>;
  readonly #sessions = new Set<string>();
  readonly #sums = new Map<string, { calls: number; tokens: number; max: number }>();

  constructor(server: string | null, tools: readonly Pick<ToolDefinition, "sha256">[]) {
    this.#server = server;
    this.#hashes = new Set(tools.map(({ sha256 }) => sha256));
  }

  add(record: MeterRecord): void {
    if (record.type === "definitions" && record.tools.some((tool) => this.#hashes.has(tool.sha256)))
      this.#sessions.add(record.session_id);
    if (record.type !== "call" || record.tool === null || record.outcome !== "ok") return;
    if (record.server !== this.#server && !this.#sessions.has(record.session_id)) return;
    const { calls, tokens, max } = this.#sums.get(record.tool) ?? { calls: 0, tokens: 0, max: 0 };
    const { output_tokens: size } = record;
    const sum = { calls: calls + 1, tokens: tokens + size, max: Math.max(max, size) };
    this.#sums.set(record.tool, sum);
  }

  find(tool: string): RecordedSizes | undefined {
    const sum = this.#sums.get(tool);
    if (!sum) return undefined;
    const { calls, tokens, max } = sum;
    return { calls, average_tokens: Math.round(tokens / calls), max_tokens: max };
  }
}
