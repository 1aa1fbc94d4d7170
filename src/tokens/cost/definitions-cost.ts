import type { CountSource } from "./exact-prices.ts";

export type ToolDefinition = {
  readonly name: string;
  /** Name, description and inputSchema with their syntax. */
  readonly tokens: number;
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  /** Everything that is not in the model's context: outputSchema, annotations, icons. */
  readonly wire_only_tokens: number;
  readonly percent_total: number;
  /** Of the canonical JSON (RFC 8785) of the whole definition. */
  readonly sha256: string;
  readonly context_tokens?: number;
  readonly resident_tokens?: number;
  /** Parameters by which a caller gets less of an answer, such as `limit` or `options.page_size`. */
  readonly narrowing_parameters?: readonly string[];
};

/** Tokens that loading the definition adds where it is loaded on demand. */
export function tokensToLoad({ tokens, context_tokens: shown, ...tool }: ToolDefinition): number {
  const context = shown ?? tokens;
  return tool.resident_tokens === context ? 0 : context;
}

/** A skill as its list has it: name and description. A model reads the rest once it is loaded. */
export type ListedSkill = {
  readonly name: string;
  readonly tokens: number;
  readonly sha256: string;
};

export type SkillSums = { readonly listed: number; readonly tokens: number };

export function sumSkills(skills: readonly ListedSkill[] = []): { readonly skills?: SkillSums } {
  if (skills.length === 0) return {};
  const tokens = skills.reduce((sum, skill) => sum + skill.tokens, 0);
  return { skills: { listed: skills.length, tokens } };
}

export type DefinitionsCost = {
  readonly is_complete: boolean;
  readonly tools_total: number;
  readonly tools: readonly ToolDefinition[];
  /** Absent without skills. Their tokens are in the sums. */
  readonly skills?: readonly ListedSkill[];
  readonly total_tokens: number;
  /** Definitions and instructions in the context from the start; only names where the client defers definitions. */
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
  readonly loading_tokens?: number;
  /** Present when the model's maker counted `tokens` and `total_tokens`. */
  readonly counted_by?: CountSource;
};
