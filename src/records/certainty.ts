import type { EstimationMembers } from "./record.ts";
import type { SummaryEstimation } from "./summary.ts";

export function readEstimation(record: EstimationMembers): SummaryEstimation {
  return {
    estimator: record.estimator,
    method: record.estimation_method,
    encoding: record.estimation_encoding,
    error: record.estimation_error,
    confidence: record.confidence,
    is_estimated: record.is_estimated,
  };
}

export function pickLessCertain(
  a: SummaryEstimation | null,
  b: SummaryEstimation | null,
): SummaryEstimation | null {
  if (!a || !b) return a ?? b;
  const difference = rankCertainty(a) - rankCertainty(b);
  // Between equals, the sort key decides, so that the order of a and b does not matter.
  const picksFirst = difference === 0 ? makeSortKey(a) <= makeSortKey(b) : difference < 0;
  return {
    ...(picksFirst ? a : b),
    is_estimated: a.is_estimated || b.is_estimated,
  };
}

function rankCertainty({ confidence }: SummaryEstimation): number {
  return ["low", "medium", "high"].indexOf(confidence);
}

function makeSortKey({ method, encoding, error }: SummaryEstimation): string {
  return JSON.stringify([method, encoding, error]);
}
