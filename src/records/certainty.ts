import type { Estimated } from "./record.ts";
import type { SummaryEstimation } from "./summary.ts";

export function estimationOf(record: Estimated): SummaryEstimation {
  return {
    estimator: record.estimator,
    method: record.estimation_method,
    encoding: record.estimation_encoding,
    error: record.estimation_error,
    confidence: record.confidence,
    is_estimated: record.is_estimated,
  };
}

export function lessCertain(
  one: SummaryEstimation | null,
  other: SummaryEstimation | null,
): SummaryEstimation | null {
  if (!one || !other) return one ?? other;
  const difference = certaintyOf(one) - certaintyOf(other);
  const isFirst = difference === 0 ? textOf(one) <= textOf(other) : difference < 0;
  return {
    ...(isFirst ? one : other),
    is_estimated: one.is_estimated || other.is_estimated,
  };
}

function certaintyOf({ confidence }: SummaryEstimation): number {
  return ["low", "medium", "high"].indexOf(confidence);
}

function textOf({ method, encoding, error }: SummaryEstimation): string {
  return JSON.stringify([method, encoding, error]);
}
