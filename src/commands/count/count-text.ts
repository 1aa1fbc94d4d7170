import { findProfile } from "#cost/clients/index.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import type { Reader } from "#cost/reader.ts";
import type { Resolved } from "#estimators/resolve.ts";
import { toolsIn } from "#lock/tools-payload.ts";
import { sha256 } from "#os/sha256.ts";

/** Tokens of a text, and whether it was priced as the definitions of tools. */
export type TextTokens = { readonly tokens: number; readonly isDefinitions: boolean };

/**
 * Tokens of a whole text. An answer to `tools/list` is priced as definitions where the estimator has a formula of its
 * own for them, because a model reads those unlike other text.
 */
export function countText(text: string, { estimator, model }: Resolved): TextTokens {
  const tools = estimator.definitions && toolsIn(text);
  if (!tools) return { tokens: estimator.count(text), isDefinitions: false };
  const reader: Reader = {
    estimator,
    family: model.family,
    profile: findProfile(undefined),
    windowTokens: 1,
    model: null,
  };
  const { total_tokens: tokens } = priceDefinitions(tools, undefined, reader, sha256);
  return { tokens, isDefinitions: true };
}
