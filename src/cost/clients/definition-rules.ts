import type { JsonObject } from "#wire/json.ts";

/** When a client keeps definitions out of the context until the model asks for them. */
export type Deferral =
  | "never"
  | "always"
  /** Once all definitions together exceed this percentage of the window. */
  | { readonly overPercent: number };

/** How a client puts a server's tools and its instructions into the context. */
export type DefinitionRules = {
  readonly deferral: Deferral;
  /** A definition as the model reads it: renamed, cut, without dropped keys, with added parameters. */
  readonly form: (tool: JsonObject, isLoaded: boolean) => JsonObject;
  /** The text that stands for a tool that is not loaded; empty for none. */
  readonly listing: (tool: JsonObject) => string;
  /** The server's instructions as they stand in the context from the start. */
  readonly instructions: (instructions: string, isDeferred: boolean) => string;
  /** The instructions that come with the first definition that is loaded; empty for none. */
  readonly loadedInstructions: (instructions: string) => string;
  /** True when they come with every definition that is loaded, not only with the first. */
  readonly repeatsInstructions: boolean;
};

/** The definitions as the server lists them, all of them from the start. */
export const plainDefinitions: DefinitionRules = {
  deferral: "never",
  form: (tool) => tool,
  listing: () => "",
  instructions: (instructions) => instructions,
  loadedInstructions: () => "",
  repeatsInstructions: false,
};
