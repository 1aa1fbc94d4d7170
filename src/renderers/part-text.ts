import type { DiffLine } from "#lock/drift/text-diff.ts";
import { markWhiteSpace } from "#text/difference.ts";

/** A part of a line of a diff: white space that differs is marked, unless it differs together with words. */
export function partText({ text, is_changed: isChanged }: DiffLine["parts"][number]): string {
  return isChanged ? markWhiteSpace(text) : text;
}
