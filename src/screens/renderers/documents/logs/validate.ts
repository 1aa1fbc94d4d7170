import type {
  ValidatedModel,
  ValidationReport,
} from "#history/imports/validate/validation-report.ts";
import { formatCount, formatShare, pluralize } from "#kit/text/numbers.ts";
import type { Document, Note, Section, Text } from "../../document.ts";
import { confidenceDots } from "../../token-counts.ts";
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

function buildBlock(row: ValidatedModel): readonly Section[] {
  return [
    { kind: "line", text: describeModel(row) },
    { kind: "notes", notes: listNotes(row) },
  ];
}

function describeModel({ platform, model, from, to }: ValidatedModel): Text {
  const days = from === null || to === null ? "" : `, ${from.slice(0, 10)} to ${to.slice(0, 10)}`;
  return [platform, ", ", makeNoteName(model ?? "unknown model"), days];
}

function listNotes(row: ValidatedModel): readonly Note[] {
  return [
    { label: "requests", text: describeRequests(row) },
    { label: "clean steps", text: describeSteps(row) },
    { label: "estimator", text: describeEstimator(row) },
    { label: "new answers", text: describeEntered(row) },
    { label: "carried", text: describeCarried(row) },
    { label: "impossible", text: describeImpossible(row) },
  ];
}

function describeRequests({ requests, ...row }: ValidatedModel): string {
  const input = formatCount(row.input_tokens);
  const cached = formatRatio(row.cache_read_tokens, row.input_tokens);
  const read = cached === "" ? "" : ` (${cached} read from cache)`;
  const output = formatCount(row.output_tokens);
  return `${formatCount(requests)}, input ${input}${read}, output ${output}, as the client logged them`;
}

const omissionReasons: readonly (readonly [keyof ValidatedModel["left_out_steps"], string])[] = [
  ["no_answer", "without an answer"],
  ["other_text", "with other text"],
  ["other_tools", "with results of other tools"],
  ["reasoning", "with reasoning"],
  ["boundary", "at a compaction or clearing"],
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

function describeEstimator(row: ValidatedModel): string {
  const name = `${row.estimator} ${confidenceDots[row.confidence]}`;
  const { median_error: median, error_90: error90, scale, framing_tokens_per_step: framing } = row;
  if (median === null || error90 === null || scale === null || framing === null) {
    return `${name}, no verdict: needs ${cleanStepsMin} clean steps`;
  }
  const errors = `median error ${formatShare(median)}, below ${formatShare(error90)} in 9 of 10 steps`;
  const verdict =
    row.estimation_quality === "unknown" ? describeFraming(row) : row.estimation_quality;
  return `${name}, ${verdict}: ${errors}; scale ${scale}, framing ${pluralize(framing, "token")} per step`;
}

// If a step is mostly framing, its error says little about the estimate.
function describeFraming(row: ValidatedModel): string {
  const framing = (row.framing_tokens_per_step ?? 0) * row.clean_steps;
  return `no verdict because ${formatRatio(framing, row.native_tokens)} of a step is framing`;
}

function describeEntered(row: ValidatedModel): string {
  const share = formatRatio(row.entered_answer_tokens, row.entered_tokens);
  if (share === "") return "none";
  return `MCP answers are ~${share} of the ${formatCount(row.entered_tokens)} tokens that entered a context, as input or output`;
}

function describeCarried(row: ValidatedModel): string {
  const share = formatRatio(row.carried_call_tokens, row.input_tokens);
  if (share === "") return "none";
  const { mean_rereads: rereads } = row;
  const again = rereads === null ? "" : `, each answer re-sent ${formatMean(rereads)}× on average`;
  return `MCP calls are ~${share} of the ${formatCount(row.input_tokens)} input tokens${again}`;
}

function describeImpossible({ impossible_requests: impossible }: ValidatedModel): string {
  if (impossible === 0)
    return "none: every request has at least the input tokens that we estimate for its answers";
  return `${pluralize(impossible, "request")} with fewer input tokens than we estimate for the answers in ${impossible === 1 ? "it" : "them"}`;
}

function formatMean(mean: number): string {
  return String(Math.round(mean * 10) / 10);
}

function formatRatio(numerator: number, denominator: number): string {
  return denominator === 0 ? "" : formatShare(numerator / denominator);
}
