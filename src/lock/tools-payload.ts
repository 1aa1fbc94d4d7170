import { nestingMax } from "#kit/limits.ts";
import { exceedsBounds, arrayAt, isObject, type JsonObject } from "#wire/json.ts";

/** Of a JSON-RPC message, its result, or the list alone; undefined for any other text. */
export function toolsIn(text: string): readonly JsonObject[] | undefined {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return undefined;
  // Most texts need not be parsed.
  if (!text.includes('"inputSchema"')) return undefined;
  let value: unknown;
  try {
    // Without a byte order mark, which is white space here and an error there.
    value = JSON.parse(text.trim());
  } catch {
    return undefined;
  }
  // Beyond this a definition cannot be written as canonical JSON.
  if (exceedsBounds(value, { levelsMax: nestingMax, sizeMax: Infinity })) return undefined;
  if (Array.isArray(value)) return value.length > 0 && value.every(isTool) ? value : undefined;
  const lists = [arrayAt(value, "tools"), arrayAt(value, "result", "tools")];
  // Below this name one tool is enough: others may lack members, and a server may list them all the same.
  return lists.find((list) => list.some(isTool))?.filter(isObject);
}

function isTool(one: unknown): boolean {
  return isObject(one) && typeof one["name"] === "string" && isObject(one["inputSchema"]);
}
