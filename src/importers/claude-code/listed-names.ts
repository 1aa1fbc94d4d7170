import { loggedNamesMax } from "#limits/import.ts";
import type { ReaderTools } from "#imports/importer.ts";
import type { ToolListEvent } from "#imports/log-event.ts";
import { arrayAt, type JsonObject, textAt } from "#wire/json.ts";
import { idAt } from "../log-fields.ts";

/**
 * The tools of servers that an attachment offers to the model by their names alone, and those that it removes; undefined for
 * any other attachment. The definitions themselves are loaded when the model asks for them.
 */
export function listedNames(
  line: JsonObject,
  tools: Pick<ReaderTools, "sha256">,
): Pick<ToolListEvent, "added" | "removed"> | undefined {
  if (textAt(line, "attachment", "type") !== "deferred_tools_delta") return undefined;
  const added = namesAt(line, "addedNames", tools);
  const removed = namesAt(line, "removedNames", tools);
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

function namesAt(
  line: JsonObject,
  member: string,
  tools: Pick<ReaderTools, "sha256">,
): readonly string[] {
  return arrayAt(line, "attachment", member)
    .slice(0, loggedNamesMax)
    .flatMap((name) => idAt(tools, { name }, "name") ?? [])
    .filter((name) => name.startsWith("mcp__"));
}
