import { arrayAt, isObject, type JsonObject } from "#wire/json.ts";

/**
 * The tools of a text that is an answer to `tools/list`: the JSON-RPC message, its result, or the list alone. Undefined
 * for any other text.
 */
export function toolsIn(text: string): readonly JsonObject[] | undefined {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const lists = [value, arrayAt(value, "tools"), arrayAt(value, "result", "tools")];
  return lists.filter((list) => Array.isArray(list)).find(isToolList);
}

/** True for a list of objects that each have a name and an input schema, and at least one. */
function isToolList(list: readonly unknown[]): list is readonly JsonObject[] {
  return list.length > 0 && list.every(isTool);
}

function isTool(one: unknown): boolean {
  return isObject(one) && typeof one["name"] === "string" && isObject(one["inputSchema"]);
}
