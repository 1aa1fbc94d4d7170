import type { BeforeAfter } from "./change.ts";
import type { Gap } from "./gaps.ts";
import type { DriftKind } from "./severity-rules.ts";

export type SchemaSide = "input" | "output";

// A difference at one path: `narrowed` rejects earlier values, `widened` accepts new ones.
export type SchemaDifference = {
  readonly path: string;
  readonly keyword: string;
  readonly narrowed?: Gap;
  readonly widened?: Gap;
};

// Returns the JSON of a value that proves the gap, if one is found.
export type FindExample = (gap: Gap | undefined) => string | undefined;

export function classifySchemaChange(
  side: SchemaSide,
  row: SchemaDifference,
  values: BeforeAfter,
  findExample: FindExample,
): { readonly kind: DriftKind; readonly example?: string | undefined } {
  const { keyword, narrowed, widened } = row;
  // A removal breaks callers even if any member is accepted, because the name loses its meaning.
  if (keyword === "name" && narrowed)
    return { kind: `${side}_removed`, example: findExample(narrowed) };
  if (keyword === "name") return { kind: `${side}_added` };
  const breakingGap = side === "input" ? narrowed : widened;
  if (!breakingGap) return { kind: `${side}_safe` };
  if (side === "output" && isWidened(row, values)) return { kind: "output_widened" };
  const example = findExample(breakingGap);
  return { kind: example === undefined ? `${side}_undecided` : `${side}_breaking`, example };
}

// Callers may cope with new values of a field, so these are RISKY, not BREAKING.
function isWidened({ keyword, narrowed }: SchemaDifference, { before }: BeforeAfter): boolean {
  if (["type", "required", ""].includes(keyword) && before !== "none") return false;
  return (
    !narrowed || (Array.isArray(narrowed.from) && narrowed.lost?.length !== narrowed.from.length)
  );
}
