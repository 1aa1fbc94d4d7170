import type { Confidence } from "#cost/estimation.ts";

/** How sure a count is, for a reader's eye. */
export const confidenceDots: { readonly [confidence in Confidence]: string } = {
  high: "●●●",
  medium: "●●○",
  low: "●○○",
};
