/** A JSON object. */
export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The member at `path` of a parsed value, or undefined where a step is missing. */
export function memberAt(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** The string at `path`; undefined when it is missing or another type. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = memberAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The array at `path`; empty when it is missing or another type. */
export function arrayAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = memberAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Compact JSON; empty for values that JSON cannot express: undefined, functions, cycles, nesting beyond the stack. */
export function compactJson(value: unknown): string {
  try {
    // The library's type promises a string, yet undefined and functions give undefined.
    const json: string | undefined = JSON.stringify(value);
    return json ?? "";
  } catch {
    return "";
  }
}
