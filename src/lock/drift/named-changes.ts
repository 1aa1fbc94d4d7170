import { isObject, type JsonObject } from "#wire/json.ts";
import { changeOf, effectKind, type Values } from "./definition-change.ts";
import type { PartChanges } from "./parts.ts";
import { nameOf, partOf, type SchemaPlace } from "./place.ts";

/**
 * Compares `$defs`: schemas that others refer to. One that is new or removed matters where it is referred to, but
 * for the text that it brings.
 */
export function namedChanges(keyword: string, values: Values, place: SchemaPlace): PartChanges {
  const [was, is] = [membersOf(values.before), membersOf(values.after)];
  const whereOf = (name: string): SchemaPlace => partOf(place, `.${keyword}.${name}`);
  const kind = effectKind(place.side, place.side === "input" ? "widened" : "narrowed");
  const removed = Object.keys(was).filter((name) => !Object.hasOwn(is, name));
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name));
  const common = Object.keys(was).filter((name) => Object.hasOwn(is, name));
  return {
    changes: [
      ...removed.map((name) =>
        changeOf(kind, `${nameOf(whereOf(name))} removed`, { before: was[name], after: undefined }),
      ),
      ...added.map((name) =>
        changeOf(kind, `${nameOf(whereOf(name))} added`, {
          before: undefined,
          after: { [name]: is[name] },
        }),
      ),
    ],
    pairs: common.map((name) => ({
      values: { before: was[name], after: is[name] },
      place: whereOf(name),
    })),
  };
}

function membersOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
