import { type JsonObject, memberAt } from "#wire/json.ts";

const allowing = ["enabled_tools", "includeTools", "tools"];

/** The last is Kiro's and Roo Code's. */
const denying = ["disabled_tools", "excludeTools", "disabledTools"];

export function keptTools(entry: JsonObject): (name: string) => boolean {
  const allowed = namesAt(entry, allowing);
  const denied = namesAt(entry, denying) ?? new Set();
  const isOpen = allowed === undefined || allowed.has("*");
  return (name) => (isOpen || allowed.has(name)) && !denied.has(name);
}

function namesAt(entry: JsonObject, members: readonly string[]): ReadonlySet<unknown> | undefined {
  const list = members.map((name) => memberAt(entry, name)).find(Array.isArray);
  return list && new Set<unknown>(list);
}
