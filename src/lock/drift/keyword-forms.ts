import { isObject } from "#wire/json.ts";

/** The form that JSON Schema gives keywords whose values are compared by their parts. */
const forms: ReadonlyMap<string, (value: unknown) => boolean> = new Map<
  string,
  (value: unknown) => boolean
>([
  ["enum", (value) => Array.isArray(value)],
  ["uniqueItems", (value) => typeof value === "boolean"],
  ["properties", isObject],
  ["$defs", isObject],
  ["definitions", isObject],
  [
    "required",
    (value) => Array.isArray(value) && value.every((name: unknown) => typeof name === "string"),
  ],
]);

/** False for a keyword of another form than its own, such as an `enum` that is a text: none of its parts can be compared. */
export function isWellFormed(keyword: string, value: unknown): boolean {
  return value === undefined || forms.get(keyword)?.(value) !== false;
}
