import type { ToolDefinition } from "#cost/definitions-cost.ts";
import type { Risk } from "#cost/risk.ts";

export type ProfiledTool = ToolDefinition & {
  /** Share of the window in percent. */
  readonly percent_window: number;
  /** Named fields at all levels of the input and the output schema. */
  readonly input_fields: number;
  readonly output_fields: number;
  readonly worst_case: WorstCase;
  /** How heavy the worst case weighs. */
  readonly risk: Risk;
};

export type WorstCase = {
  readonly tokens: number;
  readonly basis: "declared" | "bounded" | "unbounded";
  /** Who bounds it: a parameter, `outputSchema maxItems`, `anthropic/maxResultSizeChars`; null when nobody does. */
  readonly source: string | null;
  /** Tokens of one item and the most items; null where a size is declared. */
  readonly base_tokens: number | null;
  readonly items: number | null;
};
