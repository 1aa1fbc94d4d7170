/** One thing that a user or the author of a server can change, with the tokens at stake. */
export type Advice = AdviceFacts & {
  readonly server: string;
  /** Null for the server as a whole. */
  readonly tool: string | null;
  /** Tokens that the change would spare, in the period or in each session. */
  readonly tokens: number;
  readonly per: "session" | "period";
};

/** The reason for an advice, by kind. */
type AdviceFacts =
  | { readonly kind: "unused_server"; readonly sessions: number }
  | { readonly kind: "unused_tools"; readonly names: readonly string[]; readonly listed: number }
  | {
      readonly kind: "grown_definitions";
      readonly before_tokens: number;
      readonly after_tokens: number;
      /** ISO 8601, of the older definitions. */
      readonly since: string;
    }
  | {
      readonly kind: "large_answers";
      /** Tokens of a call above which its answer would be shortened. */
      readonly limit: number;
      readonly shortened_calls: number;
      readonly calls: number;
    }
  | { readonly kind: "repeated_calls"; readonly calls: number }
  | { readonly kind: "duplicate_text"; readonly share: number }
  | { readonly kind: "compact_json"; readonly share: number }
  | { readonly kind: "json_structure"; readonly share: number }
  | { readonly kind: "cut_answers"; readonly calls: number };

export type AdviceKind = Advice["kind"];
