import { canonicalJson } from "#wire/canonical.ts";
import { isObject, type JsonObject } from "#wire/json.ts";
import type { DefinitionsCost } from "./definitions-cost.ts";
import { priceDefinitions } from "./price-definitions.ts";
import type { Reader } from "./reader.ts";

/**
 * Prices definitions in canonical form, with sorted members: the order in which a server writes them changes
 * the price of a session by a token or so, and must not change a lock.
 */
export function priceCanonical(
  tools: readonly JsonObject[],
  instructions: string | undefined,
  reader: Reader,
  hash: (text: string) => string,
): DefinitionsCost {
  return priceDefinitions(tools.map(sortMembers), instructions, reader, hash);
}

function sortMembers(tool: JsonObject): JsonObject {
  const sorted: unknown = JSON.parse(canonicalJson(tool));
  return isObject(sorted) ? sorted : tool;
}
