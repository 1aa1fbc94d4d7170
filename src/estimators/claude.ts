import type { Estimator } from "#cost/estimator.ts";
import type { EstimatorDeps } from "./bpe.ts";
import { byScale } from "./scaled.ts";

/** Fitted by `scripts/fit-claude.ts`; method and figures in ADR 0102. */
const definitionsFactor = 1.72;

/** Tokens of the text that precedes any tools, as published for Claude Opus 4.8; see docs/notes/models.md. */
const definitionsPerList = 290;

/** Claude 4.7 and later, whose vocabulary is not public. The factor for other text is the published mean. */
export function claude(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "claude",
      confidence: "medium",
      error:
        "definitions ±2.7 % mean, −12 % worst of ten servers left out; other text 1.53 × o200k, published ratios run from 1.2 (code) to 1.6 (prose)",
    },
    {
      encoding: "o200k_base",
      factor: 1.53,
      definitions: { factor: definitionsFactor, perList: definitionsPerList },
    },
    deps,
  );
}
