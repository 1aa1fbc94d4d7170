import type { Estimator } from "#meter/estimate.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { byScale } from "./scaled.ts";

/** Claude up to 4.6, whose vocabulary is smaller than o200k and not public for versions 3 and 4. */
export function claudeLegacy(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "claude-legacy",
      confidence: "medium",
      error: "1.18 × o200k, a mean over mixed text; the error on one text is not known",
    },
    { encoding: "o200k_base", factor: 1.18 },
    deps,
  );
}
