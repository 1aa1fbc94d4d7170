import { isObject } from "./json.ts";

/** The value without its `_meta`, which models do not read. */
export function withoutMeta(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "_meta")) return value;
  const { _meta: _unread, ...rest } = value;
  return rest;
}
