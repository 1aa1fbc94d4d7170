import type { Confidence, Estimation } from "#cost/estimation.ts";
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
