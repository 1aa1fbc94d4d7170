import { isObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";
import { isDialect } from "./dialects.ts";

/** Words of JSON Schema itself, and the name of an absent type: a model learns nothing from them. */
const schemaWords: ReadonlySet<string> = new Set(
  `array boolean integer null number object string any type properties required items prefixItems enum const
   anyOf oneOf allOf additionalProperties $ref $defs $schema definitions description title default minimum maximum
   exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties
   maxProperties format pattern`.split(/\s+/),
);

/** A text of a JSON value, as a value or as a name, and the names that lead to it. */
export type PlacedText = { readonly text: string; readonly path: string };

/** True when `after` has a text, as a value or as a name, that `before` does not have: text that a model may read. */
export function gainsText(before: unknown, after: unknown): boolean {
  return firstNewText(textsIn(before), textsIn(after)) !== undefined;
}

/**
 * The first text that one schema has anywhere, in keywords of any form, and that the other has nowhere. A reference
 * that leads somewhere brings no text of its own: the names on its way stand in the schema.
 */
export function textAdded(before: unknown, after: unknown): PlacedText | undefined {
  return firstNewText(textsIn(before), textsIn(after, after));
}

function firstNewText(before: Iterable<PlacedText>, after: Iterable<PlacedText>) {
  const known = new Set(schemaWords);
  for (const { text } of before) known.add(text);
  for (const one of after) if (!known.has(one.text)) return one;
  return undefined;
}

/** Every string of a value, names of members included; without references that lead somewhere in `root`. */
function* textsIn(value: unknown, root?: unknown): Generator<PlacedText> {
  const open: (readonly [path: string, value: unknown])[] = [["", value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, one] = next;
    if (typeof one === "string") yield { text: one, path };
    else if (Array.isArray(one)) for (const item of one) open.push([path, item]);
    else if (isObject(one)) {
      for (const [key, member] of Object.entries(one)) {
        yield { text: key, path };
        if (!isPlumbing(key, member, root)) open.push([path ? `${path}.${key}` : key, member]);
      }
    }
  }
}

/** True for the dialect of a schema and for a reference that leads somewhere. */
function isPlumbing(key: string, member: unknown, root: unknown): boolean {
  if (root === undefined || typeof member !== "string") return false;
  if (key === "$schema") return isDialect(member);
  return key === "$ref" && referenceTarget(member, root) !== undefined;
}
