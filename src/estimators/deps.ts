import type { TokenCounter } from "#cost/estimator.ts";
import type { CalibratedModel } from "./calibration.ts";
import type { Encoding } from "#tokenizer/tokenizer.ts";

/** The world of estimators: tokenizers, each built when a text is first counted with it. */
export type EstimatorDeps = {
  /** Returns the same tokenizer for the same encoding; cheap from the second call on. */
  tokenizer(encoding: Encoding): TokenCounter;
  /** The scale that the user measured for this estimator; only estimators with a factor use it. */
  readonly calibrated?: CalibratedModel | undefined;
};
