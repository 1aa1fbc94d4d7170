import type { CalibratedModel } from "#tokens/estimators/user-calibration.ts";
import type { Confidence, EstimationMethod } from "#tokens/cost/estimator.ts";
import type { Fit, LeftOutCounts, ModelValidation } from "./validate-models.ts";

// Framing is the part of a step's tokens that is not from answers. If most tokens are framing, even badly estimated
// answers cause only a small error. The quality is then unknown.
const framingPercentMax = 50;

const goodErrorPercentMax = 10;

const fairErrorPercentMax = 25;

export type ValidationReport = {
  readonly schema_version: "1.0";
  readonly models: readonly ValidatedModel[];
  readonly worst_median_error: number | null;
  readonly impossible_requests: number;
};

export type ValidatedModel = {
  readonly platform: string;
  readonly model: string | null;
  readonly estimator: string;
  readonly confidence: Confidence;
  readonly estimation_method: EstimationMethod;
  readonly from: string | null;
  readonly to: string | null;
  readonly requests: number;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly output_tokens: number;
  readonly steps: number;
  readonly clean_steps: number;
  readonly left_out_steps: LeftOutCounts;
  readonly native_tokens: number;
  readonly estimated_tokens: number;
  readonly difference_tokens: number;
  readonly difference_share: number | null;
  // A line is fitted to the clean steps: native tokens of a step = framing + scale × estimated tokens. Without a fit,
  // the members from here to `median_error_scaled` are null.
  readonly framing_tokens_per_step: number | null;
  readonly scale: number | null;
  readonly median_error: number | null;
  readonly error_10: number | null;
  readonly error_90: number | null;
  readonly median_error_scaled: number | null;
  readonly confidence_distribution: { readonly [confidence in Confidence]: number };
  readonly estimation_quality: "good" | "fair" | "poor" | "unknown";
  readonly entered_answer_tokens: number;
  readonly entered_tokens: number;
  readonly carried_call_tokens: number;
  readonly mean_rereads: number | null;
  readonly impossible_requests: number;
};

export type ValidatedClient = {
  readonly client: string;
  readonly models: readonly ModelValidation[];
  readonly findEstimator: (model: string | null) => {
    readonly id: string;
    readonly confidence: Confidence;
    readonly method: EstimationMethod;
  };
};

export function makeValidationReport(clients: readonly ValidatedClient[]): ValidationReport {
  const models = clients.flatMap((client) => client.models.map((model) => makeRow(client, model)));
  const errors = models.flatMap((row) => (row.median_error === null ? [] : [row.median_error]));
  return {
    schema_version: "1.0",
    models,
    worst_median_error: errors.length === 0 ? null : Math.max(...errors),
    impossible_requests: models.reduce((sum, row) => sum + row.impossible_requests, 0),
  };
}

function makeRow(
  { client, findEstimator }: ValidatedClient,
  validation: ModelValidation,
): ValidatedModel {
  const { id, confidence, method } = findEstimator(validation.model);
  const { nativeTokens: native, estimatedTokens: estimated, steps, fit, answers } = validation;
  const difference = estimated - native;
  return {
    platform: client,
    model: validation.model,
    estimator: id,
    confidence,
    estimation_method: method,
    from: formatTime(validation.fromMs),
    to: formatTime(validation.toMs),
    requests: validation.requests,
    input_tokens: validation.inputTokens,
    cache_read_tokens: validation.cacheReadTokens,
    output_tokens: validation.outputTokens,
    steps: steps.total,
    clean_steps: steps.clean,
    left_out_steps: steps.leftOut,
    native_tokens: Math.round(native),
    estimated_tokens: estimated,
    difference_tokens: Math.round(difference),
    difference_share: native === 0 ? null : round(difference / native),
    ...roundFit(fit),
    confidence_distribution: { high: 0, medium: 0, low: 0, [confidence]: steps.clean },
    estimation_quality: gradeFit(fit, { native, clean: steps.clean }),
    entered_answer_tokens: answers.enteredAnswerTokens,
    entered_tokens: answers.enteredTokens,
    carried_call_tokens: answers.carriedCallTokens,
    mean_rereads: answers.readAnswers === 0 ? null : round(answers.rereads / answers.readAnswers),
    impossible_requests: validation.impossibleRequests,
  };
}

function roundFit(fit: Fit | undefined) {
  return {
    framing_tokens_per_step: fit ? Math.round(fit.offset) : null,
    scale: fit ? round(fit.scale) : null,
    median_error: fit ? round(fit.medianError) : null,
    error_10: fit ? round(fit.percentile10Error) : null,
    error_90: fit ? round(fit.percentile90Error) : null,
    median_error_scaled: fit ? round(fit.medianScaledError) : null,
  };
}

function gradeFit(
  fit: Fit | undefined,
  { native, clean }: { readonly native: number; readonly clean: number },
): ValidatedModel["estimation_quality"] {
  if (!fit || fit.offset * clean * 100 > native * framingPercentMax) return "unknown";
  const percent = fit.medianError * 100;
  if (percent <= goodErrorPercentMax) return "good";
  return percent <= fairErrorPercentMax ? "fair" : "poor";
}

function round(share: number): number {
  return Math.round(share * 1_000) / 1_000;
}

function formatTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

// Scales outside these limits are implausible, so they are not written. user-calibration.schema.json has the
// same limits.
const calibrationPercentMin = 25;

const calibrationPercentMax = 400;

export function collectScales({ models }: ValidationReport): readonly CalibratedModel[] {
  return models.flatMap(findScale);
}

function findScale(row: ValidatedModel): readonly CalibratedModel[] {
  const { platform: client, model, estimator, scale, median_error_scaled: error } = row;
  if (model === null || scale === null || error === null) return [];
  if (row.estimation_method !== "bpe-scaled" || row.estimation_quality === "unknown") return [];
  const percent = scale * 100;
  if (percent < calibrationPercentMin || percent > calibrationPercentMax) return [];
  return [{ client, model, estimator, scale, clean_steps: row.clean_steps, median_error: error }];
}
