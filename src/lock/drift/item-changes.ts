import type { JsonObject } from "#wire/json.ts";
import { changeOf, effectKind } from "./definition-change.ts";
import type { Pair, PartChanges } from "./parts.ts";
import { nameOf, partOf, type SchemaPlace } from "./place.ts";

const positional = "prefixItems";

/**
 * Compares the schemas of the first, second and following items of a list. An item without one of its own follows `items`.
 */
export function itemChanges(
  before: JsonObject,
  after: JsonObject,
  place: SchemaPlace,
): PartChanges {
  const [was, is] = [before[positional] ?? [], after[positional] ?? []];
  if (!Array.isArray(was) || !Array.isArray(is)) {
    const values = { before: before[positional], after: after[positional] };
    const what = `${nameOf(place)}: ${positional} changed`;
    return { changes: [changeOf(effectKind(place, "changed"), what, values)], pairs: [] };
  }
  const count = Math.max(was.length, is.length);
  const pairs = Array.from({ length: count }, (_, at): Pair => ({
    values: {
      before: at < was.length ? was[at] : before["items"],
      after: at < is.length ? is[at] : after["items"],
    },
    place: partOf(place, ` (${positional} ${at + 1})`),
  }));
  return { changes: [], pairs };
}
