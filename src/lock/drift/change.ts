import { aroundDifference } from "#kit/text/difference.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { canonicalJson } from "#wire/json-equal.ts";
import { type Change, driftRules, type DriftKind } from "../drift.ts";
import { firstNewText } from "./texts.ts";

export const driftValueCharactersMax = 500;

export type DefinitionChange = Change & { readonly kind: DriftKind };

export type Values = { readonly before: unknown; readonly after: unknown };

// Text that a model may read is a risk, also where no caller notices the change.
export function changeOf(kind: DriftKind, what: string, values: Values): DefinitionChange {
  const isRead =
    driftRules[kind].severity === "SAFE" && firstNewText(values.before, values.after) !== undefined;
  return { kind: isRead ? "text_added" : kind, what, ...valueTexts(values) };
}

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
export function valueTexts({ before, after }: Values): Pick<Change, "before" | "after"> {
  if (before === undefined || after === undefined) {
    return { before: valueText(before), after: valueText(after) };
  }
  const texts = { before: wholeText(before), after: wholeText(after) };
  return aroundDifference(texts, driftValueCharactersMax);
}

/** `"a", "b" and 3 more`, as canonical JSON. */
export function listText(values: readonly unknown[]): string {
  const shown = values.slice(0, 4).map((value) => valueText(canonicalJson(value)));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatCount(more)} more` : shown.join(", ");
}
