import type { CountSource } from "./exact-prices.ts";

/** The definition of one tool, in tokens. */
export type ToolDefinition = {
  readonly name: string;
  /** Name, description and inputSchema together, with their syntax. */
  readonly tokens: number;
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  /** outputSchema, annotations, icons and so on: on the wire, but not in the model's context. */
  readonly wire_only_tokens: number;
  readonly percent_total: number;
  /** Of the canonical JSON (RFC 8785) of the whole definition. */
  readonly sha256: string;
  /** The definition as this client shows it to its model, where that is not `tokens`. */
  readonly context_tokens?: number;
  /** The part of it that is in the context before it is loaded, where the client defers definitions. */
  readonly resident_tokens?: number;
  /** Parameters by which a caller gets less of an answer, such as `limit` or `options.page_size`. */
  readonly narrowing_parameters?: readonly string[];
};

/** The cost of a list of definitions and of the server's instructions. */
export type DefinitionsCost = {
  /** False when the last page of the list is missing. */
  readonly is_complete: boolean;
  readonly tools_total: number;
  readonly tools: readonly ToolDefinition[];
  readonly total_tokens: number;
  /** Definitions and instructions in the context from the start; only names where the client defers definitions. */
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
  /** Instructions that come with the first definition that is loaded. */
  readonly loading_tokens?: number;
  /** Present when the model's maker counted `tokens` and `total_tokens`. */
  readonly counted_by?: CountSource;
};
