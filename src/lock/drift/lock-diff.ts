import { diffTexts, type TextDiff } from "#kit/text/text-diff.ts";
import { isSince, type Lock } from "../lock.ts";
import { differingOffers, only } from "./server-drifts.ts";
import { diffValues } from "./value-diff.ts";

const toolDiffsMax = 50;

export type ToolDiff = TextDiff & {
  /** Null for instructions, prompts and resource templates. */
  readonly tool: string | null;
  readonly title?: string;
};

export function diffLocks(locked: Lock, now: Lock): ToolDiff[] {
  const all = [
    ...instructionsDiffs(locked, now),
    ...offerDiffs(locked, now),
    ...toolDiffs(locked, now),
  ];
  return all.slice(0, toolDiffsMax);
}

function instructionsDiffs(locked: Lock, now: Lock): ToolDiff[] {
  const [before = "", after = ""] = [locked, now].map((lock) => lock.instructions.text);
  if (!isSince(locked, "2.0") || before === after) return [];
  return [{ tool: null, ...diffTexts(before, after) }];
}

function offerDiffs(locked: Lock, now: Lock): ToolDiff[] {
  const offers = isSince(locked, "2.1") ? differingOffers(locked, now) : [];
  return offers.slice(0, toolDiffsMax).flatMap(({ title, before, after }) => {
    const [was, is] = [only(before), only(after)];
    return was && is ? [{ tool: null, title, ...diffValues(was, is) }] : [];
  });
}

// Of several tools with one name it is not known which one became which.
function toolDiffs(locked: Lock, now: Lock): ToolDiff[] {
  const listed = Map.groupBy(now.tools, ({ name }) => name);
  const changed = locked.tools.filter(({ name, sha256 }) => {
    const same = listed.get(name) ?? [];
    return same.length === 1 && same[0]?.sha256 !== sha256;
  });
  return changed.slice(0, toolDiffsMax).flatMap(({ name, definition: before }) => {
    const after = listed.get(name)?.[0]?.definition;
    return before && after ? [{ tool: name, ...diffValues(before, after) }] : [];
  });
}
