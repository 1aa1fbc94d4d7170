import { isObject } from "#wire/json.ts";

/** Words of JSON Schema itself, and the name of an absent type: a model learns nothing from them. */
const schemaWords: ReadonlySet<string> = new Set(
  `array boolean integer null number object string type properties required items enum const anyOf oneOf
   allOf additionalProperties $ref $defs definitions description title default minimum maximum minLength
   maxLength minItems maxItems format pattern`.split(/\s+/),
).add("any");

/** True when `after` has a text, as a value or as a name, that `before` does not have: text that a model may read. */
export function gainsText(before: unknown, after: unknown): boolean {
  const known = new Set(textsIn(before));
  return textsIn(after).some((text) => !known.has(text) && !schemaWords.has(text));
}

/** Every string of a value, names of members included. */
function textsIn(value: unknown): string[] {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one === "string") texts.push(one);
    else if (Array.isArray(one)) for (const item of one) open.push(item);
    else if (isObject(one)) {
      for (const [key, member] of Object.entries(one)) {
        texts.push(key);
        open.push(member);
      }
    }
  }
  return texts;
}
