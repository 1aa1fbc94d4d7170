import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import type { Maker } from "./maker.ts";

/** The makers with a public counter. */
export const makers: readonly Maker[] = [anthropic, google];

/** The maker of a model by its whole name; undefined for a model of another maker. */
export function findMaker(model: string): Maker | undefined {
  return makers.find(({ makes }) => makes(model));
}
