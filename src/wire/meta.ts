import { isObject } from "./json.ts";

/** A value without its `_meta`, which no model reads. */
export function withoutMeta(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "_meta")) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "_meta"));
}
