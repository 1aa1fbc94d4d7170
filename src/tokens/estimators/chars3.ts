import type { Estimator } from "../cost/estimator.ts";
import { byRatio } from "./ratio.ts";

/** For languages with longer words than English, such as Portuguese. */
export function chars3(): Estimator {
  return byRatio(
    "chars3",
    3,
    "a rule of thumb for languages other than English; its error is not known",
  );
}
