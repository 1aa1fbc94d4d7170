const definitionPricesMax = 10_000;

export type DefinitionPrice = {
  readonly name_tokens: number;
  readonly description_tokens: number;
  readonly schema_tokens: number;
  readonly wire_only_tokens: number;
};

export type DefinitionPrices = {
  get(estimator: string, sha256: string): DefinitionPrice | undefined;
  set(estimator: string, sha256: string, price: DefinitionPrice): void;
};

export function createDefinitionPrices(): DefinitionPrices {
  const known = new Map<string, DefinitionPrice>();
  return {
    get: (estimator, sha256) => known.get(`${estimator} ${sha256}`),
    set(estimator, sha256, price) {
      if (known.size < definitionPricesMax) known.set(`${estimator} ${sha256}`, price);
    },
  };
}
