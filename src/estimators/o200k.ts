import type { Estimator } from "#cost/estimator.ts";
import { byVocabulary } from "./bpe.ts";
import type { EstimatorDeps } from "./deps.ts";

/** The vocabulary of GPT-4o, GPT-4.1, GPT-5, the o series and their successors. */
export function o200k(deps: EstimatorDeps): Estimator {
  return byVocabulary("o200k", "o200k_base", deps);
}
