export type Edit = { readonly start: number; readonly end: number; readonly text: string };

export function applyEdits(text: string, edits: readonly Edit[]): string | undefined {
  const sorted = edits.toSorted((a, b) => a.start - b.start || a.end - b.end);
  let at = 0;
  let result = "";
  for (const { start, end, text: inserted } of sorted) {
    if (start < at) return undefined;
    result += text.slice(at, start) + inserted;
    at = end;
  }
  return result + text.slice(at);
}

export type Refusal =
  | "unparsable"
  | "duplicate"
  // The member is missing, or merged in by YAML.
  | "missing"
  // It has a YAML anchor, alias or tag.
  | "shared"
  | "arguments"
  // The command is not a one-line text, or nothing can be put before it.
  | "layout"
  | "meaning"
  | "irreversible";
