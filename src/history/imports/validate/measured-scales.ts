import type { ValidatedModel, ValidationReport } from "./validation-report.ts";

// Beyond these the factor is not the only error; calibration.schema.json has both.
const calibrationPercentMin = 25;

const calibrationPercentMax = 400;

export type MeasuredScale = {
  readonly client: string;
  readonly model: string;
  readonly estimator: string;
  readonly scale: number;
  readonly clean_steps: number;
  readonly median_error: number;
};

/** Leaves out models without a verdict, estimators without a factor, steps that are mostly framing, and scales so far from 1 that something else is wrong. */
export function measuredScales({ models }: ValidationReport): readonly MeasuredScale[] {
  return models.flatMap(scaleOf);
}

function scaleOf(row: ValidatedModel): readonly MeasuredScale[] {
  const { platform: client, model, estimator, scale, median_error_scaled: error } = row;
  if (model === null || scale === null || error === null) return [];
  if (row.estimation_method !== "bpe-scaled" || row.estimation_quality === "unknown") return [];
  const percent = scale * 100;
  if (percent < calibrationPercentMin || percent > calibrationPercentMax) return [];
  return [{ client, model, estimator, scale, clean_steps: row.clean_steps, median_error: error }];
}
