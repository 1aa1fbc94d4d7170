import { formatCount, pluralize } from "#kit/text/numbers.ts";
import { clip } from "#kit/text/unsafe-text.ts";
import type { CountSource } from "#tokens/cost/definitions-cost.ts";
import type { Confidence, Estimation } from "#tokens/cost/estimator.ts";
import type { ProfileEstimator } from "#lock/profile.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { Note } from "./document.ts";

export type TokenFormat = {
  readonly count: (tokens: number) => string;
  readonly tokens: (tokens: number) => string;
  /** Prints both ends if an unknown client might show its model more than twice as many tokens. */
  readonly range: (tokens: number, mostTokens?: number) => string;
};

export function needsRange(tokens: number, mostTokens = 0): boolean {
  return mostTokens > 2 * tokens;
}

export function makeTokenFormat(isEstimated: boolean): TokenFormat {
  const mark = isEstimated ? "~" : "";
  return {
    count: (tokens) => `${mark}${formatCount(tokens)}`,
    tokens: (tokens) => `${mark}${pluralize(tokens, "token")}`,
    range: (tokens, mostTokens = 0) =>
      `${mark}${formatCount(tokens)}${needsRange(tokens, mostTokens) ? `…${formatCount(mostTokens)}` : ""}`,
  };
}

// The model's maker may have counted the definitions exactly.
export function pickDefinitionFormat(
  { counted_by: source }: { readonly counted_by?: CountSource },
  format: TokenFormat,
): TokenFormat {
  return source ? makeTokenFormat(false) : format;
}

export const recordedTextColumnsMax = 400;

export const confidenceDots: { readonly [confidence in Confidence]: string } = {
  high: "●●●",
  medium: "●●○",
  low: "●○○",
};

export function makeEstimatorNote(
  estimator: Pick<ProfileEstimator, "id" | "confidence" | "error" | "is_estimated">,
): Note {
  const { id, confidence, error, is_estimated: isEstimated } = estimator;
  const hint = isEstimated ? "; ~ marks estimates" : "";
  return { label: "counted by", text: `${id} ${confidenceDots[confidence]} ${error}${hint}` };
}

// Clipped, because anyone may have written the records that the texts come from.
export function makeSummaryEstimatorNote(estimation: SummaryEstimation): Note {
  const { estimator, error } = estimation;
  return makeEstimatorNote({
    ...estimation,
    id: clip(estimator),
    error: clip(error, recordedTextColumnsMax),
  });
}

export type MakerEstimation = Omit<Estimation, "method"> & { readonly method: "maker" };

export function buildMakerEstimation({ maker, model }: CountSource): MakerEstimation {
  return {
    id: clip(maker),
    method: "maker",
    encoding: clip(model),
    confidence: "high",
    error: `counted by the maker of ${clip(model)}`,
  };
}

export function listMakerNotes(source: CountSource | undefined): readonly Note[] {
  if (!source) return [];
  const { id, confidence, error } = buildMakerEstimation(source);
  return [
    { label: "counted by", text: `${id} ${confidenceDots[confidence]} definitions, ${error}` },
  ];
}
