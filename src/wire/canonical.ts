import { isObject, type JsonObject } from "./json.ts";

/** Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, numbers as ECMAScript writes them. One JSON value has one canonical form. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const names = sortedNames(value);
  const flat = flatCopy(value, names);
  if (flat) return JSON.stringify(flat);
  const members = names
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name])}`);
  return `{${members.join(",")}}`;
}

/** Names up to which sorting them by insertion is quicker than calling a sort. */
const fewNames = 8;

function sortedNames(value: JsonObject): readonly string[] {
  const names = Object.keys(value);
  if (names.length > fewNames) return names.toSorted();
  for (let end = 1; end < names.length; end += 1) {
    const name = names[end] ?? "";
    let at = end;
    for (
      let before = names[at - 1];
      before !== undefined && before > name;
      before = names[at - 1]
    ) {
      names[at] = before;
      at -= 1;
    }
    names[at] = name;
  }
  return names;
}

/**
 * The members in that order, to be written in one go, as the arguments of most calls can be. Undefined where one of them
 * has members itself, or a name that an object does not keep in its place: it puts numbers first.
 */
function flatCopy(value: JsonObject, names: readonly string[]): JsonObject | undefined {
  const flat: { [name: string]: unknown } = {};
  for (const name of names) {
    const member = value[name];
    if (typeof member === "object" && member !== null) return undefined;
    if (isDigit(name.charCodeAt(0)) || name === "__proto__") return undefined;
    flat[name] = member;
  }
  return flat;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
