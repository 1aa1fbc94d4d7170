import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import { definitionPrices, draftDefinitions } from "./definitions.ts";
import type { Reader } from "./reader.ts";
import type { DefinitionsRecord } from "./record.ts";

/** What a list of definitions comes to, as far as it does not depend on a session. */
export type PricedDefinitions = Pick<
  DefinitionsRecord,
  | "tools"
  | "tools_total"
  | "total_tokens"
  | "resident_tokens"
  | "wire_only_tokens"
  | "instructions_tokens"
>;

/**
 * Prices definitions by their canonical form, members sorted: a server that writes the same definition in
 * another order costs a token more or less in a session, and the same in a lock.
 */
export function priceCanonical(
  tools: readonly JsonObject[],
  instructions: string | undefined,
  reader: Reader,
  hash: (text: string) => string,
): PricedDefinitions {
  const list = { tools: tools.map(sorted), total: tools.length, isComplete: true };
  const draft = draftDefinitions(list, instructions, reader, { hash, prices: definitionPrices() });
  while (draft.bill.charactersLeft > 0) draft.bill.advance(Infinity);
  const body = draft.finish(false);
  if (body.type !== "definitions") throw new Error("a draft of definitions became another record");
  return body;
}

function sorted(tool: JsonObject): JsonObject {
  const again: unknown = JSON.parse(canonicalJson(tool));
  return isObject(again) ? again : tool;
}
