import type { ToolDefinition } from "#cost/definitions-cost.ts";
import type { Risk } from "#cost/risk.ts";

/** One tool of a profile: its definition in tokens, and the worst case of its answers. */
export type ProfiledTool = ToolDefinition & {
  /** Share of the window in percent. */
  readonly percent_window: number;
  /** Named fields of the input schema, at all levels. */
  readonly input_fields: number;
  readonly output_fields: number;
  readonly worst_case: WorstCase;
  /** Risk of the worst case; null where its size is an assumption. */
  readonly risk: Risk | null;
};

/** The longest answer that a definition allows, or an assumption where it allows any. */
export type WorstCase = {
  readonly tokens: number;
  readonly basis: "declared" | "bounded" | "unbounded";
  /** True where `tokens` is assumed: the definition does not limit the number of items, or the size of one. */
  readonly is_assumed: boolean;
  /** Risk of `tokens`, assumed or not. */
  readonly tier: Risk;
  /** The part that sets the bound: a parameter, `outputSchema maxItems`, `anthropic/maxResultSizeChars`; null without one. */
  readonly source: string | null;
  /** Tokens of one item; null for a declared size. */
  readonly base_tokens: number | null;
  /** Most items; null where the answer is not a bounded list. */
  readonly items: number | null;
};
