import type { Confidence, Estimator } from "../cost/estimator.ts";
import {
  findClientModel,
  findEstimatorFamily,
  findModel,
  defaultFamily,
  type Model,
  type ModelFamily,
} from "../cost/models.ts";
import { type Calibration, findCalibration } from "./user-calibration.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { type EstimatorId, isEstimatorId } from "./ids.ts";
import { createEstimator } from "./index.ts";

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

/** `auto` is the estimator of the model, or else of the client, or else `o200k`. Confidence is high only with the vocabulary of the model. */
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
  const hasEstimatorButNoModel = namedId !== undefined && (choice.model ?? "") === "";
  const confidence = rateConfidence(estimator, known?.family, hasEstimatorButNoModel);
  return { estimator: { ...estimator, confidence }, model };
}

function findKnownModel({ model = "", client }: EstimatorChoice): Model | undefined {
  if (model !== "") return findModel(model);
  return client === undefined ? undefined : findClientModel(client);
}

// With an estimator but no model, the user wants tokens of that vocabulary, and these are exact.
function rateConfidence(
  estimator: Estimator,
  family: ModelFamily | undefined,
  hasEstimatorButNoModel: boolean,
): Confidence {
  if (estimator.method === "bpe") {
    const isExact =
      family === undefined ? hasEstimatorButNoModel : family.encoding === estimator.encoding;
    return isExact ? "high" : "medium";
  }
  const isOtherFamily = family !== undefined && family.estimator !== estimator.id;
  return estimator.method === "bpe-scaled" && isOtherFamily ? "low" : estimator.confidence;
}
