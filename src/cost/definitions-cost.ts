/** One tool's definition, in tokens. */
export type ToolDefinition = {
  readonly name: string;
  /** Name, description and inputSchema together, framing included. */
  readonly tokens: number;
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  /** outputSchema, annotations, icons and the like: on the wire, not in the model's context. */
  readonly wire_only_tokens: number;
  readonly percent_total: number;
  /** Of the canonical JSON (RFC 8785) of the whole definition. */
  readonly sha256: string;
};

/** What a list of definitions and the instructions cost. */
export type DefinitionsCost = {
  /** False when the last page of the list is missing. */
  readonly is_complete: boolean;
  readonly tools_total: number;
  readonly tools: readonly ToolDefinition[];
  readonly total_tokens: number;
  /** What a client that defers definitions keeps in context: names and instructions. */
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
};
