import type { Estimator } from "#meter/estimate.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { byScale } from "./scaled.ts";

/**
 * Claude 4.7 and later, whose vocabulary is not public. The factor for text is the published mean; the
 * model of definitions is fitted by `scripts/fit-claude.ts`, figures and method in ADR 0102.
 */
export function claude(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "claude",
      confidence: "medium",
      error:
        "definitions ±3.5 % mean, −14 to +8 % worst; other text 1.53 × o200k where published ratios run from 1.2 (code) to 1.6 (prose)",
    },
    {
      encoding: "o200k_base",
      factor: 1.53,
      definitions: { factor: 1.65, perTool: 23, perList: 233 },
    },
    deps,
  );
}
