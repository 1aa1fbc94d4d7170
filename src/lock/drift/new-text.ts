import { isObject } from "#wire/json.ts";
import { referenceTarget } from "#wire/schema-walk.ts";
import { isDialect } from "./dialects.ts";

/** Words of JSON Schema and the name of an absent type: a model learns nothing from them. */
const schemaWords: ReadonlySet<string> = new Set(
  `array boolean integer null number object string any type properties required items prefixItems enum const
   anyOf oneOf allOf additionalProperties $ref $defs $schema definitions description title default minimum maximum
   exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems minProperties
   maxProperties format pattern optional none not if then else contains minContains maxContains additionalItems
   propertyNames patternProperties dependentRequired dependentSchemas dependencies unevaluatedProperties
   unevaluatedItems nullable contentEncoding contentMediaType`.split(/\s+/),
);

/** A value or a name, and the path of names to it. */
export type PlacedText = { readonly text: string; readonly path: string };

export function gainsText(before: unknown, after: unknown): boolean {
  return firstNewText(textsIn(before), textsIn(after)) !== undefined;
}

/** The first text that `before` has nowhere. A resolved reference brings no text. */
export function textAdded(before: unknown, after: unknown): PlacedText | undefined {
  return firstNewText(textsIn(before), textsIn(after, after));
}

function firstNewText(before: Iterable<PlacedText>, after: Iterable<PlacedText>) {
  const known = new Set(schemaWords);
  for (const { text } of before) known.add(text);
  // The first by its place: the order of members must not matter.
  return [...after]
    .filter(({ text }) => !known.has(text))
    .toSorted((one, other) =>
      `${one.path} ${one.text}` < `${other.path} ${other.text}` ? -1 : 1,
    )[0];
}

/** Names included, resolved references left out. */
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

function isPlumbing(key: string, member: unknown, root: unknown): boolean {
  if (root === undefined || typeof member !== "string") return false;
  if (key === "$schema") return isDialect(member);
  return key === "$ref" && referenceTarget(member, root) !== undefined;
}
