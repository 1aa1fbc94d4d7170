import { attempt } from "#kit/errors.ts";

// Without a limit, JSON.parse takes two seconds for five million levels.
export const nestingMax = 256;

export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readMember(
  value: unknown,
  first: string,
  second?: string,
  third?: string,
): unknown {
  const outer = readOwnMember(value, first);
  if (second === undefined) return outer;
  const inner = readOwnMember(outer, second);
  return third === undefined ? inner : readOwnMember(inner, third);
}

export function readString(
  value: unknown,
  first: string,
  second?: string,
  third?: string,
): string | undefined {
  const found = readMember(value, first, second, third);
  return typeof found === "string" ? found : undefined;
}

export function readArray(value: unknown, first: string, second?: string): readonly unknown[] {
  const found = readMember(value, first, second);
  return Array.isArray(found) ? found : noElements;
}

const noElements: readonly unknown[] = [];

function readOwnMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

// Returns "" if the value has no JSON form: it is undefined, a function, cyclic or nested too deeply.
export function stringifyCompact(value: unknown): string {
  try {
    // TypeScript declares that JSON.stringify returns a string, but it returns undefined for undefined and functions.
    const json: string | undefined = JSON.stringify(value);
    return json ?? "";
  } catch {
    return "";
  }
}

export function removeMeta(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "_meta")) return value;
  const { _meta: _unread, ...otherMembers } = value;
  return otherMembers;
}

// YAML references can make a value contain itself or occur many times, so the walk stops at the limits.
export function exceedsBounds(value: unknown, sizeMax: number): boolean {
  const open: [value: unknown, level: number][] = [[value, 0]];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [element, level] = next;
    size += typeof element === "string" ? 1 + element.length : 1;
    if (size > sizeMax || level > nestingMax) return true;
    if (typeof element !== "object" || element === null) continue;
    for (const [name, member] of Object.entries(element)) {
      if (!Array.isArray(element)) size += name.length;
      open.push([member, level + 1]);
    }
  }
  return false;
}

// Compact JSON can be longer than the original text (`1e20` becomes 21 digits), but it is never 8 times as long.
const growthMax = 8;

/** Ignores member order and spacing. `compact` is the compact JSON of `value`. */
export function isJsonEqual(text: string, value: unknown, compact: string): boolean {
  if (text === compact) return true;
  if (text.length * growthMax < compact.length || !mayBeEqual(text, compact)) return false;
  return attempt(() => isEqual(JSON.parse(text), value), false);
}

function mayBeEqual(text: string, compact: string): boolean {
  let index = 0;
  while (index < text.length && " \t\r\n".includes(text.charAt(index))) index += 1;
  const [first, expected] = [text.charAt(index), compact.charAt(0)];
  return first === expected || (isNumberStart(first) && isNumberStart(expected));
}

function isNumberStart(letter: string): boolean {
  return letter === "-" || (letter >= "0" && letter <= "9");
}

// No recursion: the server chooses the nesting.
export function isEqual(left: unknown, right: unknown): boolean {
  const pairs: [unknown, unknown][] = [[left, right]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a === b) continue;
    if (!isContainer(a) || !isContainer(b)) return false;
    if (Array.isArray(a) !== Array.isArray(b)) return false;
    const keys = Object.keys(a);
    if (keys.length !== Object.keys(b).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(b, key)) return false;
      pairs.push([a[key], b[key]]);
    }
  }
  return true;
}

function isContainer(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** RFC 8785: members sorted by UTF-16 code units, no white space, numbers as in ECMAScript. */
export function canonicalizeJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalizeJson).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const names = sortNames(value);
  const flat = copyFlat(value, names);
  if (flat) return JSON.stringify(flat);
  const members = names
    .filter((name) => value[name] !== undefined)
    .map((name) => `${JSON.stringify(name)}:${canonicalizeJson(value[name])}`);
  return `{${members.join(",")}}`;
}

// Up to this many names, insertion sort beats `toSorted`.
const fewNamesMax = 8;

function sortNames(value: JsonObject): readonly string[] {
  const names = Object.keys(value);
  if (names.length > fewNamesMax) return names.toSorted();
  for (let end = 1; end < names.length; end += 1) {
    const name = names[end] ?? "";
    let at = end;
    for (; at > 0 && (names[at - 1] ?? "") > name; at -= 1) names[at] = names[at - 1] ?? "";
    names[at] = name;
  }
  return names;
}

// Undefined if a member is nested, or has a name that the copy could lose (`__proto__`) or reorder (`1`).
function copyFlat(value: JsonObject, names: readonly string[]): JsonObject | undefined {
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
