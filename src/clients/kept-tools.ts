import { type JsonObject, memberAt } from "#wire/json.ts";

/** Members by which clients leave all other tools of a server out: Codex, Gemini CLI and Qwen Code, Copilot CLI. */
const allowing = ["enabled_tools", "includeTools", "tools"];

/** Members by which they leave these tools out; the last is Kiro's and Roo Code's. */
const denying = ["disabled_tools", "excludeTools", "disabledTools"];

/** True for the name of a tool that the entry of a server keeps in the context of its client. */
export function keptTools(entry: JsonObject): (name: string) => boolean {
  const allowed = namesAt(entry, allowing);
  const denied = namesAt(entry, denying) ?? new Set();
  const isOpen = allowed === undefined || allowed.has("*");
  return (name) => (isOpen || allowed.has(name)) && !denied.has(name);
}

/** The names in the first of these members that is a list; Codex also has a table of that name. */
function namesAt(entry: JsonObject, members: readonly string[]): ReadonlySet<unknown> | undefined {
  const list = members.map((name) => memberAt(entry, name)).find(Array.isArray);
  return list && new Set<unknown>(list);
}
