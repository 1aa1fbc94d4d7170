import type { Change } from "../drift.ts";
import { driftRules, severities, type DriftKind } from "../severity.ts";
import { gainsText } from "./new-text.ts";
import type { SchemaSide } from "./place.ts";
import { valueTexts } from "./values.ts";

export type DefinitionChange = Change & { readonly kind: DriftKind };

export type Values = { readonly before: unknown; readonly after: unknown };

// Text that a model may read is a risk, also where no caller notices the change.
export function changeOf(kind: DriftKind, what: string, values: Values): DefinitionChange {
  const { before, after } = values;
  const isRead = driftRules[kind].severity === "SAFE" && gainsText(before, after);
  return { kind: isRead ? "text_added" : kind, what, ...valueTexts(values) };
}

// A keyword may limit values of several types.
export function worstByWords(changes: readonly DefinitionChange[]): DefinitionChange[] {
  const found = new Map<string, DefinitionChange>();
  for (const change of changes) {
    const key = JSON.stringify([change.what, change.before, change.after]);
    const known = found.get(key);
    if (!known || severityRank(change) < severityRank(known)) found.set(key, change);
  }
  return [...found.values()];
}

function severityRank({ kind }: DefinitionChange): number {
  return severities.indexOf(driftRules[kind].severity);
}

export const kindsBySide = {
  input: {
    narrowed: "input_narrowed",
    widened: "input_widened",
    changed: "input_changed",
    undecided: "input_undecided",
    type: "parameter_type_changed",
    added: "parameter_added",
    removed: "parameter_removed",
    required: "parameter_became_required",
    optional: "parameter_became_optional",
  },
  output: {
    narrowed: "output_narrowed",
    widened: "output_widened",
    changed: "output_changed",
    undecided: "output_undecided",
    type: "field_type_changed",
    added: "field_added",
    removed: "field_removed",
    required: "field_became_required",
    optional: "field_became_optional",
  },
} as const satisfies Record<SchemaSide, { readonly [role: string]: DriftKind }>;
