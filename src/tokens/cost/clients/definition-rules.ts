import type { JsonObject } from "#wire/json.ts";

export type Deferral = "never" | "always" | DeferralByShare;

/** The definitions of all servers, and of the client's own tools that it loads on demand, as a share of the window. */
type DeferralByShare = { readonly overPercent: number; readonly clientTokens: number };

export function defers(deferral: Deferral, tokens: number, windowTokens: number): boolean {
  if (typeof deferral === "string") return deferral === "always";
  return (tokens + deferral.clientTokens) * 100 > deferral.overPercent * windowTokens;
}

/** Of a skill a model reads these members of its frontmatter, before it is loaded. */
export type SkillText = { readonly name: string; readonly description: string };

export type DefinitionRules = {
  readonly deferral: Deferral;
  /** As the model reads it: renamed, cut, with added parameters. */
  readonly form: (tool: JsonObject, isLoaded: boolean) => JsonObject;
  /** Where others are loaded on demand, it is in the context from the start. */
  readonly isPreloaded?: (tool: JsonObject) => boolean;
  readonly listing: (tool: JsonObject) => string;
  /** Text for a skill of the server before it is loaded; by default its name and description. */
  readonly skill?: (skill: SkillText) => string;
  readonly instructions: (instructions: string, isDeferred: boolean) => string;
  /** Instructions that come with the first loaded definition; empty for none. */
  readonly loadedInstructions: (instructions: string) => string;
  readonly repeatsInstructions: boolean;
  /** Without showing pages, it lists the tools that are for them alone to no model. */
  readonly hidesPageTools?: boolean;
};

export const plainDefinitions: DefinitionRules = {
  deferral: "never",
  form: (tool) => tool,
  listing: () => "",
  instructions: (instructions) => instructions,
  loadedInstructions: () => "",
  repeatsInstructions: false,
};

export function plainSkill({ name, description }: SkillText): string {
  return `- ${name}: ${description}\n`;
}
