import { cutAroundDifference } from "#kit/text/difference.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { type Change, driftRules, type DriftKind } from "./severity-rules.ts";
import { findNewText } from "./schema-texts.ts";

export const driftValueCharactersMax = 500;

export type DefinitionChange = Change & { readonly kind: DriftKind };

export type BeforeAfter = { readonly before: unknown; readonly after: unknown };

// A change that is SAFE for callers is RISKY if it adds text, because a model may obey the text.
export function makeChange(kind: DriftKind, what: string, values: BeforeAfter): DefinitionChange {
  const hasNewText =
    driftRules[kind].severity === "SAFE" && findNewText(values.before, values.after) !== undefined;
  return { kind: hasNewText ? "text_added" : kind, what, ...formatValues(values) };
}

export function formatValue(value: unknown): string | null {
  if (value === undefined) return null;
  const text = formatWhole(value);
  return text.length > driftValueCharactersMax
    ? `${text.slice(0, driftValueCharactersMax).toWellFormed()}…`
    : text;
}

function formatWhole(value: unknown): string {
  return typeof value === "string" ? value : canonicalizeJson(value);
}

// Long values are cut to an excerpt that begins shortly before their first difference.
export function formatValues({ before, after }: BeforeAfter): Pick<Change, "before" | "after"> {
  if (before === undefined || after === undefined) {
    return { before: formatValue(before), after: formatValue(after) };
  }
  const texts = { before: formatWhole(before), after: formatWhole(after) };
  return cutAroundDifference(texts, driftValueCharactersMax);
}

export function formatList(values: readonly unknown[]): string {
  const shown = values.slice(0, 4).map((value) => formatValue(canonicalizeJson(value)));
  const more = values.length - shown.length;
  return more > 0 ? `${shown.join(", ")} and ${formatCount(more)} more` : shown.join(", ");
}
