import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";
import type { Risk } from "#tokens/cost/risk.ts";
import type { RecordedSizes } from "./recorded-sizes.ts";

export type ProfiledTool = ToolDefinition & {
  /** Percent. */
  readonly percent_window: number;
  /** Named fields, at all levels. */
  readonly input_fields: number;
  readonly output_fields: number;
  readonly worst_case: WorstCase;
  /** With `--records`, where a session called it. */
  readonly recorded?: RecordedSizes;
  /** Null where the size is an assumption. */
  readonly risk: Risk | null;
};

/** An assumption where the definition allows any. */
export type WorstCase = {
  readonly tokens: number;
  readonly basis: "declared" | "bounded" | "unbounded";
  /** The definition does not limit the number or the size of items. */
  readonly is_assumed: boolean;
  readonly tier: Risk;
  /** A parameter, `outputSchema maxItems`, `anthropic/maxResultSizeChars`; null without a bound. */
  readonly source: string | null;
  /** Of an item; null for a declared size. */
  readonly base_tokens: number | null;
  /** Null where the answer is not a bounded list. */
  readonly items: number | null;
};
