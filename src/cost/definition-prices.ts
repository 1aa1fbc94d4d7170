import { definitionPricesMax } from "#limits.ts";

/** Tokens of one definition, without its share of a list. */
export type DefinitionPrice = {
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  readonly wire_only_tokens: number;
};

/**
 * Prices of definitions already counted, by how they were counted and the definition's hash: a definition
 * is counted once.
 */
export type DefinitionPrices = {
  get(estimator: string, sha256: string): DefinitionPrice | undefined;
  set(estimator: string, sha256: string, price: DefinitionPrice): void;
};

/** Prices kept in memory, at most `definitionPricesMax`. */
export function createDefinitionPrices(): DefinitionPrices {
  const known = new Map<string, DefinitionPrice>();
  return {
    get: (estimator, sha256) => known.get(`${estimator} ${sha256}`),
    set(estimator, sha256, price) {
      if (known.size < definitionPricesMax) known.set(`${estimator} ${sha256}`, price);
    },
  };
}
