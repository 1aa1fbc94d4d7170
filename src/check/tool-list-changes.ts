import { canonicalJson } from "#wire/canonical.ts";
import { textAt, type JsonObject } from "#wire/json.ts";

/** A tool that is not the same in two lists of one server. */
export type ToolListChange = {
  readonly tool: string;
  readonly change: "added" | "removed" | "changed";
};

/** The tools that differ between two lists, whose order does not matter. */
export function findToolListChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): ToolListChange[] {
  const [old, now] = [definitionsByName(before), definitionsByName(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((tool): readonly ToolListChange[] => {
    if (!now.has(tool)) return [{ tool, change: "removed" }];
    if (!old.has(tool)) return [{ tool, change: "added" }];
    return old.get(tool) === now.get(tool) ? [] : [{ tool, change: "changed" }];
  });
}

/** The definitions of each name as one text: a name may be listed more than once. */
function definitionsByName(tools: readonly JsonObject[]): ReadonlyMap<string, string> {
  const groups = Map.groupBy(tools, (tool) => textAt(tool, "name") ?? "");
  return new Map(
    [...groups].map(([name, group]) => [name, group.map(canonicalJson).toSorted().join("\n")]),
  );
}
