import type { Confidence, Estimator } from "../cost/estimator.ts";
import {
  findEstimatorFamily,
  findModel,
  defaultFamily,
  type Model,
  type ModelFamily,
} from "../cost/models.ts";
import { findClientModel } from "../cost/client-models.ts";
import { type Calibration, findCalibration } from "./user-calibration.ts";
import { type EstimatorDeps, makeVocabularyEstimator } from "./bpe.ts";
import { type EstimatorId, isEstimatorId } from "./ids.ts";
import { chars3Point5, chars3, chars4, words } from "./characters.ts";
import { claude, claudeLegacy, gemini } from "./claude-and-gemini.ts";

export type EstimatorChoice = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model?: string | undefined;
  readonly client?: string | undefined;
  readonly calibration?: Calibration | undefined;
};

export type ResolvedEstimator = {
  readonly estimator: Estimator;
  readonly model: Model;
};

/** `auto` is the estimator of the named model, or of the client's model if none is named. Unknown models: `o200k`. */
export function resolveEstimator(choice: EstimatorChoice, deps: EstimatorDeps): ResolvedEstimator {
  const known = findKnownModel(choice);
  const namedId = choice.tokenizer === "auto" ? undefined : choice.tokenizer;
  const model = known ?? {
    family: (namedId === undefined ? undefined : findEstimatorFamily(namedId)) ?? defaultFamily,
  };
  const id = namedId ?? model.family.estimator;
  const { calibration } = choice;
  const calibrated = calibration && findCalibration(calibration, { ...choice, estimator: id });
  const estimator = createEstimator(isEstimatorId(id) ? id : "o200k", { ...deps, calibrated });
  const isEstimatorNamedWithoutModel = namedId !== undefined && (choice.model ?? "") === "";
  const confidence = rateConfidence(estimator, known?.family, isEstimatorNamedWithoutModel);
  return { estimator: { ...estimator, confidence }, model };
}

function findKnownModel({ model = "", client }: EstimatorChoice): Model | undefined {
  if (model !== "") return findModel(model);
  return client === undefined ? undefined : findClientModel(client);
}

// If the user names a BPE estimator but no model, and the client's model is unknown, the user asked for the tokens of
// that estimator, so its count is exact.
function rateConfidence(
  estimator: Estimator,
  family: ModelFamily | undefined,
  isEstimatorNamedWithoutModel: boolean,
): Confidence {
  if (estimator.method === "bpe") {
    const isExact =
      family === undefined ? isEstimatorNamedWithoutModel : family.encoding === estimator.encoding;
    return isExact ? "high" : "medium";
  }
  const isOtherFamily = family !== undefined && family.estimator !== estimator.id;
  return estimator.method === "bpe-scaled" && isOtherFamily ? "low" : estimator.confidence;
}

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
