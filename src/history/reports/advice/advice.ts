export type Advice = AdviceFacts & {
  readonly server: string;
  readonly tool: string | null;
  readonly tokens: number;
  readonly per: "session" | "period";
};

type AdviceFacts =
  | { readonly kind: "unused_server"; readonly sessions: number }
  | {
      readonly kind: "unused_tools";
      readonly names: readonly string[];
      readonly unused: number;
      readonly listed: number;
    }
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
  | { readonly kind: "reordered_lists"; readonly orders: number }
  | {
      readonly kind: "large_answers";
      readonly limit: number;
      readonly shortened_calls: number;
      readonly calls: number;
      readonly share: number;
      readonly parameters?: readonly string[];
    }
  | { readonly kind: "repeated_calls"; readonly calls: number }
  | {
      readonly kind: "repeats_apart";
      readonly calls: number;
      readonly answer_tokens: number;
    }
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
