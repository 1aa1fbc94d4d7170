import type {
  ValidatedModel,
  ValidationReport,
} from "#history/imports/validate/validation-report.ts";
import { formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import type { Document, Note, Section, Text } from "../../document.ts";
import { confidenceDots } from "../estimator-notes.ts";
import { makeNoteName } from "../shared-texts.ts";
import { cleanStepsMin } from "#history/imports/validate/validate-models.ts";

export function buildValidationDocument({ models }: ValidationReport): Document {
  return {
    title: models.length === 0 ? "No logs" : describeModels(models),
    sections: models.flatMap(buildBlock),
  };
}

function describeModels(models: readonly ValidatedModel[]): string {
  const judged = models.filter(({ estimation_quality: quality }) => quality !== "unknown").length;
  return `Estimates of ${pluralize(models.length, "model")}, ${formatCount(judged)} with a verdict`;
}

function buildBlock(model: ValidatedModel): readonly Section[] {
  return [
    { kind: "line", text: describeModel(model) },
    { kind: "notes", notes: listNotes(model) },
  ];
}

function describeModel({ platform, model, from, to }: ValidatedModel): Text {
  const days = from === null || to === null ? "" : `, ${from.slice(0, 10)} to ${to.slice(0, 10)}`;
  return [platform, ", ", makeNoteName(model ?? "unknown model"), days];
}

function listNotes(model: ValidatedModel): readonly Note[] {
  return [
    { label: "requests", text: describeRequests(model) },
    { label: "clean steps", text: describeSteps(model) },
    { label: "estimator", text: describeEstimator(model) },
    { label: "new answers", text: describeNewAnswers(model) },
    { label: "carried", text: describeCarried(model) },
    { label: "impossible", text: describeImpossible(model) },
  ];
}

function describeRequests(model: ValidatedModel): string {
  const input = formatCount(model.input_tokens);
  const cachedShare = formatRatio(model.cache_read_tokens, model.input_tokens);
  const cached = cachedShare === "" ? "" : ` (${cachedShare} read from cache)`;
  const output = formatCount(model.output_tokens);
  return `${formatCount(model.requests)}, input ${input}${cached}, output ${output}, as the client logged them`;
}

const omissionReasons: readonly (readonly [keyof ValidatedModel["left_out_steps"], string])[] = [
  ["no_answer", "without an answer"],
  ["other_text", "with other text"],
  ["other_tools", "with results of other tools"],
  ["reasoning", "with reasoning"],
  ["boundary", "at a compaction, clearing or model change"],
  ["unmeasured", "with images or text that is not logged"],
];

function describeSteps({
  steps,
  clean_steps: clean,
  left_out_steps: leftOut,
}: ValidatedModel): string {
  const omissions = omissionReasons.flatMap(([reason, label]) =>
    leftOut[reason] === 0 ? [] : [`${formatCount(leftOut[reason])} ${label}`],
  );
  const omittedText = omissions.length === 0 ? "" : `; left out: ${omissions.join(", ")}`;
  return `${formatCount(clean)} of ${formatCount(steps)} add MCP answers and nothing else to a request${omittedText}`;
}

function describeEstimator(model: ValidatedModel): string {
  const name = `${model.estimator} ${confidenceDots[model.confidence]}`;
  const {
    median_error: median,
    error_90: error90,
    scale,
    framing_tokens_per_step: framing,
  } = model;
  if (median === null || error90 === null || scale === null || framing === null) {
    return `${name}, no verdict: needs ${cleanStepsMin} clean steps`;
  }
  const errors = `median error ${formatShare(median)}, error below ${formatShare(error90)} in 9 of 10 steps`;
  const verdict =
    model.estimation_quality === "unknown"
      ? explainMissingVerdict(model)
      : model.estimation_quality;
  return `${name}, ${verdict}: ${errors}; scale ${scale}, framing ${pluralize(framing, "token")} per step`;
}

// If a step is mostly framing, its error says little about the estimate.
function explainMissingVerdict(model: ValidatedModel): string {
  const framing = (model.framing_tokens_per_step ?? 0) * model.clean_steps;
  return `no verdict because ${formatRatio(framing, model.native_tokens)} of a step is framing`;
}

function describeNewAnswers(model: ValidatedModel): string {
  const share = formatRatio(model.entered_answer_tokens, model.entered_tokens);
  if (share === "") return "none";
  return `MCP answers are ~${share} of the ${formatCount(model.entered_tokens)} tokens that entered contexts, not counting tokens that were sent again`;
}

function describeCarried(model: ValidatedModel): string {
  const share = formatRatio(model.carried_call_tokens, model.input_tokens);
  if (share === "") return "none";
  const { mean_rereads: rereads } = model;
  const resent =
    rereads === null ? "" : `, each answer re-sent ${Math.round(rereads * 10) / 10}× on average`;
  return `MCP calls are ~${share} of the ${formatCount(model.input_tokens)} input tokens${resent}`;
}

function describeImpossible({ impossible_requests: impossible }: ValidatedModel): string {
  if (impossible === 0) {
    return "none: no request has fewer input tokens than we estimate for the answers";
  }
  return `${pluralize(impossible, "request")} with fewer input tokens than we estimate for the answers`;
}

function formatRatio(numerator: number, denominator: number): string {
  return denominator === 0 ? "" : formatShare(numerator / denominator);
}
