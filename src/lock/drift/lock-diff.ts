import { toolDiffsMax } from "#limits.ts";
import type { Lock, LockedTool } from "../lock.ts";
import { diffTexts, type TextDiff } from "./text-diff.ts";
import { diffValues } from "./value-diff.ts";

/** A changed definition as a reviewer reads it, line by line. */
export type ToolDiff = TextDiff & {
  /** Null for the instructions. */
  readonly tool: string | null;
};

/** The diffs of the instructions and of each tool that both locks have with different definitions. */
export function diffLocks(locked: Lock, now: Lock): ToolDiff[] {
  const diffs: ToolDiff[] = [];
  const [before, after] = [locked.instructions.text, now.instructions.text];
  if (locked.lock_version === now.lock_version && before !== after) {
    diffs.push({ tool: null, ...diffTexts(before ?? "", after ?? "") });
  }
  const listed = Map.groupBy(now.tools, ({ name }) => name);
  for (const tool of locked.tools) {
    const others = listed.get(tool.name) ?? [];
    // Of several tools with one name it is not known which one became which.
    const [other] = others.length === 1 ? others : [];
    const diff = other && diffTools(tool, other);
    if (diff) diffs.push(diff);
    if (diffs.length >= toolDiffsMax) break;
  }
  return diffs;
}

function diffTools(before: LockedTool, after: LockedTool): ToolDiff | undefined {
  if (before.sha256 === after.sha256 || !before.definition || !after.definition) return undefined;
  return { tool: before.name, ...diffValues(before.definition, after.definition) };
}
