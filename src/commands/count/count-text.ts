import { findProfile } from "#tokens/cost/clients/index.ts";
import { priceDefinitions } from "#tokens/cost/price-definitions.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import type { Resolved } from "#tokens/estimators/resolve.ts";
import { toolsIn } from "#lock/tools-payload.ts";
import { sha256 } from "#kit/os/sha256.ts";

export type TextTokens = {
  readonly tokens: number;
  readonly countedAs: "text" | "list-as-text" | "definitions";
};

/** An estimator named without a model counts text as such, for no reader. */
export type CountChoice = Resolved & { readonly isNamedAlone: boolean };

/** A `tools/list` answer is priced as in a profile. A vocabulary or ratio named alone counts the text itself, unless it has a formula for definitions. */
export function countText(
  text: string,
  { estimator, model, isNamedAlone }: CountChoice,
): TextTokens {
  const tools = toolsIn(text);
  if (!tools) return { tokens: estimator.count(text), countedAs: "text" };
  if (isNamedAlone && !estimator.definitions) {
    return { tokens: estimator.count(text), countedAs: "list-as-text" };
  }
  const reader: Reader = {
    estimator,
    family: model.family,
    profile: findProfile(undefined),
    windowTokens: 1,
    model: null,
  };
  const { total_tokens: tokens } = priceDefinitions({ tools }, reader, sha256);
  return { tokens, countedAs: "definitions" };
}
