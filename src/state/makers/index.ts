import { anthropic } from "./anthropic.ts";
import { google } from "./google.ts";
import type { Maker } from "./maker.ts";

export const makers: readonly Maker[] = [anthropic, google];

export function findMaker(model: string): Maker | undefined {
  return makers.find(({ servesModel }) => servesModel(model));
}
