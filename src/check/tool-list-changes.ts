import { definitionChanges } from "#lock/drift/definition-changes.ts";
import { driftRules } from "#lock/severity.ts";
import { canonicalJson } from "#wire/canonical.ts";
import { textAt, type JsonObject } from "#wire/json.ts";

export type ToolListChange =
  | { readonly tool: string; readonly change: "added" | "removed" }
  /** `what` is the first change, worded as a drift; undefined when a name is listed more than once. */
  | { readonly tool: string; readonly change: "changed"; readonly what: string | undefined };

/**
 * Ignores order, and what neither a model nor a caller notices: a server may put the time into the `_meta` of a tool.
 */
export function findToolListChanges(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): ToolListChange[] {
  const [old, now] = [definitionsByName(before), definitionsByName(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((tool): readonly ToolListChange[] => {
    const [was, is] = [old.get(tool), now.get(tool)];
    if (!is) return [{ tool, change: "removed" }];
    if (!was) return [{ tool, change: "added" }];
    return changeIn(was, is).map((what) => ({ tool, change: "changed", what }));
  });
}

function definitionsByName(
  tools: readonly JsonObject[],
): ReadonlyMap<string, readonly JsonObject[]> {
  return Map.groupBy(tools, (tool) => textAt(tool, "name") ?? "");
}

function changeIn(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): readonly (string | undefined)[] {
  const [was, is] = [before[0], after[0]];
  if (was && is && before.length === 1 && after.length === 1) {
    const changes = definitionChanges(was, is);
    return changes
      .filter(({ kind }) => driftRules[kind].severity !== "COSMETIC")
      .map(({ what }) => what)
      .slice(0, 1);
  }
  return asText(before) === asText(after) ? [] : [undefined];
}

function asText(definitions: readonly JsonObject[]): string {
  return definitions.map(canonicalJson).toSorted().join("\n");
}
