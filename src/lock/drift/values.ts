import { driftValueCharactersMax } from "#limits/definitions.ts";
import { aroundDifference } from "#text/difference.ts";
import { formatCount } from "#text/numbers.ts";
import { canonicalJson } from "#wire/canonical.ts";
import type { Change } from "../drift.ts";

/** Text unchanged, else canonical JSON; null when absent. Shortened. */
export function valueText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = wholeText(value);
  return text.length > driftValueCharactersMax
    ? `${text.slice(0, driftValueCharactersMax).toWellFormed()}…`
    : text;
}

function wholeText(value: unknown): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

/** Long ones from shortly before their first difference. */
export function valueTexts({
  before,
  after,
}: {
  readonly before: unknown;
  readonly after: unknown;
}): Pick<Change, "before" | "after"> {
  if (before === undefined || after === undefined) {
    return { before: valueText(before), after: valueText(after) };
  }
  return aroundDifference(
    { before: wholeText(before), after: wholeText(after) },
    driftValueCharactersMax,
  );
}

/** `"a", "b" and 3 more`, as canonical JSON. */
export function listText(values: readonly unknown[]): string {
  const shown = values.slice(0, 4).map((value) => valueText(value) ?? "");
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatCount(more)} more` : shown.join(", ");
}
