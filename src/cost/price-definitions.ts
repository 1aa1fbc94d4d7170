import type { JsonObject } from "#wire/json.ts";
import { createDefinitionPrices } from "./definition-prices.ts";
import type { DefinitionsCost } from "./definitions-cost.ts";
import { draftDefinitions } from "./definitions.ts";
import type { Reader } from "./reader.ts";

export function priceDefinitions(
  tools: readonly JsonObject[],
  instructions: string | undefined,
  reader: Reader,
  hash: (text: string) => string,
): DefinitionsCost {
  const list = { tools, total: tools.length, isComplete: true };
  const prices = createDefinitionPrices();
  const draft = draftDefinitions(list, instructions, reader, { hash, prices });
  while (draft.bill.charactersLeft > 0) draft.bill.advance(Infinity);
  return draft.finish(false);
}
