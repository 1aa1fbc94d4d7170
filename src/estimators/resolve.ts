import type { Confidence } from "#cost/estimation.ts";
import type { Estimator } from "#cost/estimator.ts";
import { defaultFamily } from "#cost/models.ts";
import { findClientFamily, findEstimatorFamily, findModel } from "#cost/find-model.ts";
import type { Model, ModelFamily } from "#cost/models.ts";
import { createEstimator, isEstimatorId } from "./index.ts";
import type { EstimatorDeps, EstimatorId } from "./index.ts";

/** What is known about who reads the traffic: the user's two options and the client's own name. */
export type EstimatorChoice = {
  readonly tokenizer: EstimatorId | "auto";
  readonly model?: string | undefined;
  readonly client?: string | undefined;
};

/** How to count for a choice, and whose prices for images, sound and the window hold. */
export type Resolved = {
  readonly estimator: Estimator;
  readonly model: Model;
};

/**
 * The estimator a choice asks for: a named one as it is, `auto` by the model's name, else by the client's,
 * else `o200k`. Its confidence is what it is for this choice: exact only with the model's own vocabulary.
 */
export function resolveEstimator(choice: EstimatorChoice, deps: EstimatorDeps): Resolved {
  const known = knownModel(choice);
  const named = choice.tokenizer === "auto" ? undefined : choice.tokenizer;
  const model = known ?? {
    family: (named === undefined ? undefined : findEstimatorFamily(named)) ?? defaultFamily,
  };
  const id = named ?? model.family.estimator;
  const estimator = createEstimator(isEstimatorId(id) ? id : "o200k", deps);
  const chosen = named !== undefined && !namesModel(choice);
  const confidence = confidenceFor(estimator, known?.family, chosen);
  return { estimator: { ...estimator, confidence }, model };
}

/** A model named but unknown is not the client's own, so the client is asked only where none is named. */
function knownModel(choice: EstimatorChoice): Model | undefined {
  if (namesModel(choice)) return findModel(choice.model);
  const family = choice.client === undefined ? undefined : findClientFamily(choice.client);
  return family === undefined ? undefined : { family };
}

function namesModel(
  choice: EstimatorChoice,
): choice is EstimatorChoice & { readonly model: string } {
  return choice.model !== undefined && choice.model !== "";
}

/** `chosen`: the user named this estimator and no model. */
function confidenceFor(
  estimator: Estimator,
  family: ModelFamily | undefined,
  chosen: boolean,
): Confidence {
  if (estimator.method === "bpe") {
    // Who names a vocabulary and no model asks for the tokens of that vocabulary.
    const exact = family === undefined ? chosen : family.encoding === estimator.encoding;
    return exact ? "high" : "medium";
  }
  const forAnother = family !== undefined && family.estimator !== estimator.id;
  return estimator.method === "bpe-scaled" && forAnother ? "low" : estimator.confidence;
}
