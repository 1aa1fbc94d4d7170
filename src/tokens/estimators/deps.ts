import type { TokenCounter } from "../cost/estimator.ts";
import type { CalibratedModel } from "./calibration.ts";
import type { Encoding } from "../tokenizer/tokenizer.ts";

export type EstimatorDeps = {
  tokenizer(encoding: Encoding): TokenCounter;
  /** Only estimators with a factor use it. */
  readonly calibrated?: CalibratedModel | undefined;
};
