import type { Estimator } from "#cost/estimator.ts";
import type { EstimatorDeps } from "./deps.ts";
import { byScale } from "./scaled.ts";

/** The published mean for text other than tool definitions. */
const textFactor = 1.53;

/** Fitted by `scripts/fit-claude.ts`; method and figures in ADR 0102. */
const definitionsFactor = 1.72;

/** Tokens of the text before any tools, as published for Claude Opus 4.8; see docs/notes/models.md. */
const definitionsPerList = 290;

/** Claude 4.7 and later, whose vocabulary is not public. */
export function claude(deps: EstimatorDeps): Estimator {
  return byScale(
    {
      id: "claude",
      confidence: "medium",
      error:
        "definitions ±2.7 % on average and −12 % at worst, in cross-validation over ten servers; other text 1.53 × o200k, published ratios range from 1.2 (code) to 1.6 (prose)",
    },
    {
      encoding: "o200k_base",
      factor: textFactor,
      definitions: { factor: definitionsFactor, perList: definitionsPerList },
    },
    deps,
  );
}
