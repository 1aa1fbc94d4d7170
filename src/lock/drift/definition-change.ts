import type { Change } from "../drift.ts";
import type { DriftKind } from "../severity.ts";
import { driftRules } from "../severity.ts";
import type { Effect } from "./keyword-rules.ts";
import { gainsText } from "./new-text.ts";
import type { SchemaPlace, SchemaSide } from "./place.ts";
import { valueTexts } from "./values.ts";

/** One change of a definition, of the tool that has it or of none yet. */
export type DefinitionChange = Change & { readonly kind: DriftKind };

/** A value before and after; `undefined` is its absence. */
export type Values = { readonly before: unknown; readonly after: unknown };

/**
 * A change of that kind. One that no caller notices is a risk all the same when it brings text that a model may
 * read.
 */
export function changeOf(kind: DriftKind, what: string, values: Values): DefinitionChange {
  const { before, after } = values;
  const isRead = driftRules[kind].severity === "SAFE" && gainsText(before, after);
  return { kind: isRead ? "text_added" : kind, what, ...valueTexts(values) };
}

/** The kind of a change to the values that a schema allows, for callers that send them or read them. */
export function effectKind(place: SchemaPlace, effect: Effect): DriftKind {
  return kindAt(place, effectKinds[place.side][effect]);
}

/** That kind, or a worse one where a change that is SAFE by itself may be none. */
export function kindAt({ side, isDoubtful }: SchemaPlace, kind: DriftKind): DriftKind {
  if (isDoubtful !== true || driftRules[kind].severity !== "SAFE") return kind;
  return side === "input" ? "input_changed" : "output_widened";
}

const effectKinds = {
  input: { narrowed: "input_narrowed", widened: "input_widened", changed: "input_changed" },
  output: { narrowed: "output_narrowed", widened: "output_widened", changed: "output_changed" },
} as const satisfies Record<SchemaSide, Record<Effect, DriftKind>>;

/** The kind of a change of type: a caller that reads a type it did not expect fails as one that sends it. */
export function typeKind(place: SchemaPlace, effect: Effect): DriftKind {
  const safe = place.side === "input" ? "widened" : "narrowed";
  if (effect === safe) return effectKind(place, effect);
  return place.side === "input" ? "parameter_type_changed" : "field_type_changed";
}
