import { createDefinitionPrices } from "./definition-prices.ts";
import type { DefinitionsCost } from "./definitions-cost.ts";
import { type ListedDefinitions, draftDefinitions } from "./definitions.ts";
import type { Reader } from "./reader.ts";

export type ListedTexts = Pick<ListedDefinitions, "tools" | "skills"> & {
  readonly instructions?: string | undefined;
};

export function priceDefinitions(
  { tools, skills, instructions }: ListedTexts,
  reader: Reader,
  hash: (text: string) => string,
): DefinitionsCost {
  const list = { tools, skills, total: tools.length, isComplete: true };
  const prices = createDefinitionPrices();
  const draft = draftDefinitions(list, instructions, reader, { hash, prices });
  while (draft.bill.charactersLeft > 0) draft.bill.advance(Infinity);
  return draft.finish(false);
}
