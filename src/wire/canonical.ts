import { isObject } from "./json.ts";

/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, without white space, numbers as ECMAScript
 * writes them. All texts of one JSON value have the same canonical form.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.keys(value)
    .toSorted()
    .filter((key) => value[key] !== undefined)
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${members.join(",")}}`;
}
