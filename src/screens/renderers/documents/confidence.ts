import type { CountSource } from "#tokens/cost/exact-prices.ts";
import type { Confidence, Estimation } from "#tokens/cost/estimation.ts";
import { clip } from "#kit/text/display.ts";
import type { Note } from "../document.ts";

export const confidenceDots: { readonly [confidence in Confidence]: string } = {
  high: "●●●",
  medium: "●●○",
  low: "●○○",
};

export function countedBy(
  { id, confidence, error }: Pick<Estimation, "id" | "confidence" | "error">,
  isEstimated: boolean,
): Note {
  const hint = isEstimated ? "; ~ marks estimates" : "";
  return { label: "counted by", text: `${id} ${confidenceDots[confidence]} ${error}${hint}` };
}

export type MakerEstimation = Omit<Estimation, "method"> & { readonly method: "maker" };

export function makerEstimation({ maker, model }: CountSource): MakerEstimation {
  return {
    id: clip(maker),
    method: "maker",
    encoding: clip(model),
    confidence: "high",
    error: `counted by the maker of ${clip(model)}`,
  };
}

export function makerNotes(source: CountSource | undefined): readonly Note[] {
  if (!source) return [];
  const { id, confidence, error } = makerEstimation(source);
  return [
    { label: "counted by", text: `${id} ${confidenceDots[confidence]} definitions, ${error}` },
  ];
}
