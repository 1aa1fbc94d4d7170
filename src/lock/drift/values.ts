import { driftValueCharactersMax } from "#limits.ts";
import { formatCount } from "#text/numbers.ts";
import { canonicalJson } from "#wire/canonical.ts";

/** A value of a definition for a report: a text as it is, else canonical JSON; null when it is absent. Shortened. */
export function valueText(value: unknown): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : canonicalJson(value);
  return text.length > driftValueCharactersMax
    ? `${text.slice(0, driftValueCharactersMax).toWellFormed()}…`
    : text;
}

/** `"a", "b" and 3 more`: a few values of a list, as canonical JSON. */
export function listText(values: readonly unknown[]): string {
  const shown = values.slice(0, 4).map((value) => valueText(value) ?? "");
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatCount(more)} more` : shown.join(", ");
}
