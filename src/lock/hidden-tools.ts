import { matchesWildcard } from "#kit/text/match-names.ts";

/** How a server's list of tools is shown to the client. Patterns have the same syntax as in budgets. */
export type TrimRules = {
  readonly hide: readonly string[];
  readonly only: readonly string[]; // all tools if empty
  readonly isSlim: boolean; // drops `$schema`, unused definitions, and titles that repeat a name
  readonly descriptionMax: number | undefined; // characters
};

export const noTrim: TrimRules = { hide: [], only: [], isSlim: false, descriptionMax: undefined };

export function hidesTools({ hide, only }: TrimRules): boolean {
  return hide.length > 0 || only.length > 0;
}

export function trimsLists(rules: TrimRules): boolean {
  return hidesTools(rules) || rules.isSlim || rules.descriptionMax !== undefined;
}

/** If the rules hide any tools, a call without a readable name counts as hidden: it may be for a hidden tool. */
export function isHiddenTool(rules: TrimRules, tool: string | null): boolean {
  if (tool === null) return hidesTools(rules);
  const { hide, only } = rules;
  const isNamed = (pattern: string): boolean => matchesWildcard(pattern, tool);
  return hide.some(isNamed) || (only.length > 0 && !only.some(isNamed));
}
