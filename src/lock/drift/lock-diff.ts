import { toolDiffsMax } from "#limits/definitions.ts";
import type { Lock, LockedTool } from "../lock.ts";
import { changedOffers } from "./offered-drifts.ts";
import { diffTexts, type TextDiff } from "./text-diff.ts";
import { diffValues } from "./value-diff.ts";

export type ToolDiff = TextDiff & {
  /** Null for instructions, prompts and resource templates. */
  readonly tool: string | null;
  /** `prompt review`; for prompts and resource templates only. */
  readonly title?: string;
};

export function diffLocks(locked: Lock, now: Lock): ToolDiff[] {
  const diffs: ToolDiff[] = [];
  const [before, after] = [locked.instructions.text, now.instructions.text];
  if (locked.lock_version !== "1.0" && before !== after) {
    diffs.push({ tool: null, ...diffTexts(before ?? "", after ?? "") });
  }
  for (const { title, ...values } of changedOffers(locked, now).slice(0, toolDiffsMax)) {
    diffs.push({ tool: null, title, ...diffValues(values.before, values.after) });
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
