import type { Estimator } from "#cost/estimator.ts";
import { byVocabulary } from "./bpe.ts";
import type { EstimatorDeps } from "./deps.ts";

export function o200k(deps: EstimatorDeps): Estimator {
  return byVocabulary("o200k", "o200k_base", deps);
}
