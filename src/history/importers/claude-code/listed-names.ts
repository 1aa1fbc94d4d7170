import { nameCharactersMax } from "#kit/limits.ts";
import type { ToolListEvent } from "../../imports/log-event.ts";
import { arrayAt, type JsonObject, textAt } from "#wire/json.ts";

// More than any model can choose from.
export const loggedNamesMax = 2_000;

/** As models accept one. Anything else is text, which is not kept. */
const toolName = /^mcp__[\w-]+$/;

/** Undefined for any other attachment. Definitions are loaded when the model asks for them. */
export function listedNames(
  line: JsonObject,
): Pick<ToolListEvent, "added" | "removed"> | undefined {
  if (textAt(line, "attachment", "type") !== "deferred_tools_delta") return undefined;
  const added = namesAt(line, "addedNames");
  const removed = namesAt(line, "removedNames");
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

function namesAt(line: JsonObject, member: string): readonly string[] {
  return arrayAt(line, "attachment", member)
    .slice(0, loggedNamesMax)
    .filter((name) => typeof name === "string")
    .filter((name) => name.length <= nameCharactersMax && toolName.test(name));
}
