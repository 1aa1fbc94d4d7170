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
  | {
      readonly kind: "unused_tools";
      readonly names: readonly string[];
      /** Tools that were never called, of which the first are named, and all that were listed. */
      readonly unused: number;
      readonly listed: number;
    }
  | {
      /** A server whose tools a log lists by their names: tokens are those of the names in all requests. */
      readonly kind: "listed_server";
      readonly sessions: number;
      readonly requests: number;
    }
  | {
      /** The same for tools of a server that was called. */
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
      /** ISO 8601, of the older definitions. */
      readonly since: string;
      /** Tools whose definition has grown or is new, those that grew most first. */
      readonly tools: readonly GrownTool[];
    }
  | {
      readonly kind: "large_answers";
      /** Tokens of a call above which its answer would be shortened. */
      readonly limit: number;
      readonly shortened_calls: number;
      readonly calls: number;
      /** Share of the tokens of all calls and definitions, 0…1. */
      readonly share: number;
      /** Parameters by which the tool answers less; absent when they are not known. */
      readonly parameters?: readonly string[];
    }
  | { readonly kind: "repeated_calls"; readonly calls: number }
  | {
      readonly kind: "repeats_apart";
      readonly calls: number;
      /** Tokens of their answers, which no limit spares. */
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

/** The tokens of a tool's definition in two lists; 0 before for a new tool. */
export type GrownTool = {
  readonly name: string;
  readonly before_tokens: number;
  readonly after_tokens: number;
};

export type AdviceKind = Advice["kind"];
