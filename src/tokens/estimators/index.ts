import type { Estimator } from "../cost/estimator.ts";
import { chars3Point5, chars3, chars4, words } from "./characters.ts";
import { claude, claudeLegacy, gemini } from "./claude-and-gemini.ts";
import { type EstimatorDeps, makeVocabularyEstimator } from "./bpe.ts";
import type { EstimatorId } from "./ids.ts";

const estimators = {
  o200k: (deps) => makeVocabularyEstimator("o200k", "o200k_base", deps),
  cl100k: (deps) => makeVocabularyEstimator("cl100k", "cl100k_base", deps),
  claude,
  "claude-legacy": claudeLegacy,
  gemini,
  chars4,
  "chars3.5": chars3Point5,
  chars3,
  words,
} satisfies Record<EstimatorId, (deps: EstimatorDeps) => Estimator>;

export function createEstimator(id: EstimatorId, deps: EstimatorDeps): Estimator {
  return estimators[id](deps);
}
