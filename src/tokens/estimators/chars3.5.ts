import type { Estimator } from "../cost/estimator.ts";
import { byRatio } from "./ratio.ts";

/** Closer than ⌈characters/4⌉ for JSON and code. */
export function chars3Point5(): Estimator {
  return byRatio("chars3.5", 3.5, "a rule of thumb for JSON and code; its error is not known");
}
