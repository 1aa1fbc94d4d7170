import type { CountedShare } from "#history/reports/usage-report.ts";
import { formatSmallShare } from "#kit/text/numbers.ts";
import { clip } from "#kit/text/columns.ts";
import type { ProfileEstimator } from "#lock/profile.ts";
import type { SummaryEstimation } from "#records/summary.ts";
import type { CountSource } from "#tokens/cost/definitions-cost.ts";
import type { Confidence, Estimation } from "#tokens/cost/estimator.ts";
import type { Note, Span } from "../document.ts";
import { joinFirst, recordedTextColumnsMax } from "./shared-texts.ts";

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

// Clips the texts of the estimation, because anyone may have written the records that contain it.
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
  const { id, confidence, encoding } = buildMakerEstimation(source);
  return [
    {
      label: "counted by",
      text: `${id} ${confidenceDots[confidence]} (the maker of ${encoding}); definitions only`,
    },
  ];
}

const estimatorsNamedMax = 5;

/** The brief form omits the estimator's stated error, which takes several lines. */
export function listCountingNotes(
  counted: readonly CountedShare[],
  isBrief = false,
): readonly Note[] {
  const [only] = counted;
  if (only && counted.length === 1) {
    const makeNote = isBrief ? makeBriefEstimatorNote : makeSummaryEstimatorNote;
    return only.estimation ? [makeNote(only.estimation)] : [];
  }
  const shares = counted.map(({ estimation, share }): Span[] => {
    const name = estimation ? { name: estimation.estimator } : "an unknown estimator";
    return [name, ` ${formatSmallShare(share)}`];
  });
  const text = [...joinFirst(shares, estimatorsNamedMax), "; ~ marks estimates"];
  return [{ label: "counted by", text }];
}

function makeBriefEstimatorNote({
  estimator,
  confidence,
  is_estimated: isEstimated,
}: SummaryEstimation): Note {
  const dots = ` ${confidenceDots[confidence]} ${confidence} confidence`;
  const hint = isEstimated
    ? "; ~ marks estimates; --by estimator prints how accurate they are"
    : "";
  return { label: "counted by", text: [{ name: estimator }, dots + hint] };
}
