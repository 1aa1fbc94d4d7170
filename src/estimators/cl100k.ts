import type { Estimator } from "#cost/estimator.ts";
import { byVocabulary } from "./bpe.ts";
import type { EstimatorDeps } from "./deps.ts";

export function cl100k(deps: EstimatorDeps): Estimator {
  return byVocabulary("cl100k", "cl100k_base", deps);
}
