export type CountSource = { readonly maker: string; readonly model: string };

export type DefinitionTokens = {
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  readonly wire_only_tokens: number; // of members that the model does not read, such as `outputSchema`
};

export type ToolDefinition = DefinitionTokens & {
  readonly name: string;
  readonly tokens: number;
  readonly percent_total: number;
  readonly sha256: string;
  readonly context_tokens?: number;
  readonly resident_tokens?: number;
  readonly narrowing_parameters?: readonly string[];
};

export type HiddenTool = Pick<ToolDefinition, "name" | "tokens" | "sha256">;

export function computePercent(tokens: number, total: number): number {
  return total === 0 ? 0 : Math.round((tokens / total) * 10_000) / 100;
}

export function countTokensToLoad({
  tokens,
  context_tokens: contextTokens,
  ...tool
}: ToolDefinition): number {
  const context = contextTokens ?? tokens;
  return tool.resident_tokens === context ? 0 : context;
}

// `tokens` counts name and description: the model reads the rest only when it loads the skill.
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
  // `hidden_tools` and `untrimmed_tokens` are absent if no tool was hidden or shortened. `tools` and the totals
  // describe the list that the client gets. But each `sha256` is of the definition that the server sent.
  readonly hidden_tools?: readonly HiddenTool[];
  readonly untrimmed_tokens?: number; // `total_tokens` of the list as the server sent it
  // The totals include the tokens of `skills`.
  readonly skills?: readonly ListedSkill[];
  readonly total_tokens: number;
  readonly resident_tokens: number;
  readonly is_deferred: boolean;
  readonly wire_only_tokens: number;
  readonly instructions_tokens: number;
  readonly loading_tokens?: number;
  // Present if the model's maker counted the tokens of the tools.
  readonly counted_by?: CountSource;
};
