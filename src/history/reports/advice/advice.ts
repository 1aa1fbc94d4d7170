export type Advice = AdviceFacts & AdviceAmounts;

type AdviceAmounts = {
  readonly server: string;
  readonly tool: string | null;
  readonly tokens: number;
  readonly per: "session" | "period";
  /** The tokens saved in the period, minus overlaps with larger savings. 0 for some kinds, such as `listed_…`. */
  readonly saved_tokens: number;
};

/** Advice before overlapping savings are subtracted. */
export type FoundAdvice = AdviceFacts & Omit<AdviceAmounts, "saved_tokens">;

type AdviceFacts =
  | { readonly kind: "unused_server"; readonly sessions: number }
  | {
      readonly kind: "unused_tools";
      readonly names: readonly string[];
      readonly unused: number;
      readonly listed: number;
    }
  // For a client that lists only names and loads definitions on request, `listed_…` replaces `unused_…`.
  | {
      readonly kind: "listed_server";
      readonly sessions: number;
      readonly requests: number;
    }
  | {
      readonly kind: "listed_tools";
      readonly names: readonly string[];
      readonly unused: number;
      readonly listed: number;
      readonly requests: number;
    }
  | {
      readonly kind: "grown_definitions";
      readonly before_tokens: number;
      readonly after_tokens: number;
      readonly since: string;
      readonly tools: readonly GrownTool[];
    }
  | {
      readonly kind: "reordered_lists";
      readonly orders: number;
      /** How often the order changed between calls of a session. */
      readonly changes: number;
      readonly rewritten_tokens: number;
    }
  | {
      readonly kind: "large_answers";
      readonly limit: number;
      readonly shortened_calls: number;
      readonly calls: number;
      readonly share: number;
      /**
       * Shortening can turn an answer into an error, and some clients shorten errors further. They then show this many
       * tokens of the error on average. Present only if below `limit`.
       */
      readonly left_tokens?: number;
      readonly parameters?: readonly string[];
    }
  | { readonly kind: "repeated_calls"; readonly calls: number }
  // For a tool that `repeated_calls` leaves out, because `--max-repeats 2` would save too little or refuse none of its
  // calls.
  | {
      readonly kind: "repeats_apart";
      readonly calls: number;
      /** Calls directly after an identical one. */
      readonly calls_in_row: number;
      readonly answer_tokens: number;
    }
  | { readonly kind: "large_agent"; readonly calls: number; readonly share: number }
  | { readonly kind: "duplicate_text"; readonly share: number }
  | { readonly kind: "compact_json"; readonly share: number }
  | { readonly kind: "json_structure"; readonly share: number }
  | {
      readonly kind: "cut_answers";
      readonly calls: number;
      readonly parameters?: readonly string[];
    };

export type GrownTool = {
  readonly name: string;
  readonly before_tokens: number;
  readonly after_tokens: number;
};

export type AdviceKind = Advice["kind"];

export const adviceTokensMin = 500;

export const adviceNamesMax = 50;
