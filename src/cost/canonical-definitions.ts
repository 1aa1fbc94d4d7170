import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { createDefinitionPrices } from "./definition-prices.ts";
import type { DefinitionsCost } from "./definitions-cost.ts";
import { draftDefinitions } from "./definitions.ts";
import type { Reader } from "./reader.ts";

/**
 * Prices definitions by their canonical form, members sorted: a server that writes the same definition in
 * another order costs a token more or less in a session, and the same in a lock.
 */
export function priceCanonical(
  tools: readonly JsonObject[],
  instructions: string | undefined,
  reader: Reader,
  hash: (text: string) => string,
): DefinitionsCost {
  const list = { tools: tools.map(sorted), total: tools.length, isComplete: true };
  const draft = draftDefinitions(list, instructions, reader, {
    hash,
    prices: createDefinitionPrices(),
  });
  while (draft.bill.charactersLeft > 0) draft.bill.advance(Infinity);
  return draft.finish(false);
}

function sorted(tool: JsonObject): JsonObject {
  const again: unknown = JSON.parse(canonicalJson(tool));
  return isObject(again) ? again : tool;
}
