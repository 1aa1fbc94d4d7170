import { applyEdits, type Edit } from "./edit.ts";

// Of longer lines, only the surroundings of the change.
export const changedCharactersMax = 2_000;

export const changeMarginCharactersMax = 60;

export type ChangedLines = { readonly before: string; readonly after: string };

export function changedLines(text: string, edits: readonly Edit[]): readonly ChangedLines[] {
  const sorted = edits.toSorted((one, other) => one.start - other.start);
  const groups: { start: number; end: number; edits: Edit[] }[] = [];
  for (const edit of sorted) {
    const { start, end } = surroundings(text, edit);
    const last = groups.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else groups.push({ start, end, edits: [edit] });
  }
  return groups.map(({ start, end, edits: inside }) => {
    const before = text.slice(start, end);
    const moved = inside.map((edit) => {
      return { ...edit, start: edit.start - start, end: edit.end - start };
    });
    return { before, after: applyEdits(before, moved) ?? before };
  });
}

function surroundings(text: string, { start, end }: Edit): { start: number; end: number } {
  const first = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const last = next < 0 ? text.length : next;
  if (last - first <= changedCharactersMax) return { start: first, end: last };
  return {
    start: Math.max(first, start - changeMarginCharactersMax),
    end: Math.min(last, end + changeMarginCharactersMax),
  };
}
