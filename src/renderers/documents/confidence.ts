import type { CountSource } from "#cost/exact-prices.ts";
import type { Confidence, Estimation } from "#cost/estimation.ts";
import { clip } from "#text/display.ts";
import type { Note } from "../document.ts";

/** Confidence at a glance: the surer the estimator, the more filled dots. */
export const confidenceDots: { readonly [confidence in Confidence]: string } = {
  high: "●●●",
  medium: "●●○",
  low: "●○○",
};

/** The note that every document with token counts ends with: the estimator and its stated error. */
export function countedBy(
  { id, confidence, error }: Pick<Estimation, "id" | "confidence" | "error">,
  isEstimated: boolean,
): Note {
  const hint = isEstimated ? "; ~ marks estimates" : "";
  return { label: "counted by", text: `${id} ${confidenceDots[confidence]} ${error}${hint}` };
}

/** The way in which a maker counts, in the place of an estimation. */
export type MakerEstimation = Omit<Estimation, "method"> & { readonly method: "maker" };

/** A maker's own count for a model. */
export function makerEstimation({ maker, model }: CountSource): MakerEstimation {
  return {
    id: clip(maker),
    method: "maker",
    encoding: clip(model),
    confidence: "high",
    error: `counted by the maker of ${clip(model)}`,
  };
}

/** The note about definitions that a maker counted; nothing where they are estimated. */
export function makerNotes(source: CountSource | undefined): readonly Note[] {
  if (!source) return [];
  const { id, confidence, error } = makerEstimation(source);
  return [
    { label: "counted by", text: `${id} ${confidenceDots[confidence]} definitions, ${error}` },
  ];
}
