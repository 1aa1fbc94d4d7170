import type { Estimator } from "#cost/estimator.ts";
import { chars3Point5 } from "./chars3.5.ts";
import { chars3 } from "./chars3.ts";
import { chars4 } from "./chars4.ts";
import { cl100k } from "./cl100k.ts";
import { claudeLegacy } from "./claude-legacy.ts";
import { claude } from "./claude.ts";
import type { EstimatorDeps } from "./deps.ts";
import { gemini } from "./gemini.ts";
import type { EstimatorId } from "./ids.ts";
import { o200k } from "./o200k.ts";
import { words } from "./words.ts";

const estimators = {
  o200k,
  cl100k,
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
