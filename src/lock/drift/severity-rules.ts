import { cutAroundDifference } from "#kit/text/difference.ts";
import { formatCount } from "#kit/text/numbers.ts";
import { canonicalizeJson } from "#wire/json.ts";
import { findNewText } from "./schema-texts.ts";
import type { Gap } from "./schema-gaps.ts";

export type Drift = {
  readonly severity: Severity;
  readonly kind: DriftKind;
  readonly tool: string | null;
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  // JSON of a value that is no longer accepted, or of an answer that is newly possible.
  readonly example?: string;
  // A stable location: `input.filter.since:maximum`.
  readonly at?: string;
};

export type Change = Pick<Drift, "what" | "before" | "after" | "example" | "at">;

export function createDrift(kind: DriftKind, tool: string | null, change: Change): Drift {
  const { what, before, after, ...optional } = change;
  return { severity: driftRules[kind].severity, kind, tool, what, before, after, ...optional };
}

// Worst first.
export const severities = ["BREAKING", "RISKY", "SAFE", "COSMETIC"] as const;

export type Severity = (typeof severities)[number];

type Rule<Level extends Severity> = { readonly severity: Level; readonly meaning: string };

const breaking = (meaning: string): Rule<"BREAKING"> => ({ severity: "BREAKING", meaning });
const risky = (meaning: string): Rule<"RISKY"> => ({ severity: "RISKY", meaning });
const safe = (meaning: string): Rule<"SAFE"> => ({ severity: "SAFE", meaning });
const cosmetic = (meaning: string): Rule<"COSMETIC"> => ({ severity: "COSMETIC", meaning });

// By severity; docs/ci.md lists them in this order.
export const driftRules = {
  tool_removed: breaking("A tool was removed or renamed"),
  tool_listed_twice: breaking("A tool is listed more than once"),
  entries_not_tools: breaking("An entry of the list is not a tool: clients reject the whole list"),
  input_schema_rejected: breaking(
    "An input schema is not of type `object`: clients reject the whole list",
  ),
  lock_edited: breaking(
    "The lock was edited by hand, or written by another version of mcp-meter: its values do not match its definitions",
  ),
  prompt_removed: breaking("A prompt was removed"),
  prompt_listed_twice: breaking("A prompt is listed more than once"),
  resource_template_removed: breaking("A resource template was removed"),
  resource_template_listed_twice: breaking("A resource template is listed more than once"),
  skill_removed: breaking("A skill was removed"),
  skill_listed_twice: breaking("A skill is listed more than once"),
  risk_rose: breaking("The largest possible answer of a tool is in a higher risk class"),
  input_removed: breaking("A parameter was removed"),
  input_breaking: breaking(
    "A parameter became required, or a value that was accepted is now rejected",
  ),
  output_removed: breaking("A field of the answer was removed"),
  output_breaking: breaking(
    "A field of the answer may now be absent or of another type, or its allowed values were replaced",
  ),
  output_schema_removed: breaking(
    "The output schema was removed: answers may have any shape and size",
  ),
  output_schema_changed: risky(
    "An output schema is new, or it replaces one that was not a JSON object",
  ),
  input_undecided: risky(
    "The limits of a parameter changed, but no newly rejected value was found",
  ),
  output_undecided: risky("The limits of a field changed, but no newly possible answer was found"),
  output_widened: risky("A field of an answer may have values that were impossible before"),
  became_unbounded: risky("The size of an answer is no longer limited"),
  definitions_grew: risky(
    "The definitions grew by more than 10 % or 200 tokens, whichever is less",
  ),
  tool_added: risky("A tool is new"),
  tools_reordered: risky(
    "The tools are listed in a different order, which invalidates the provider's prompt cache",
  ),
  input_added: risky("A parameter is new"),
  output_added: risky("A field of the answer is new"),
  text_added: risky("An otherwise SAFE change adds text that a model may read"),
  text_changed: risky(
    "A text for the model or the user changed, such as the description of a parameter",
  ),
  description_changed: risky(
    "The description of a tool, prompt, resource template or skill changed",
  ),
  annotations_changed: risky(
    "An annotation changed; clients use annotations to decide whether to ask the user",
  ),
  client_hint_changed: risky(
    "A `_meta` member with an effect on clients changed, such as `anthropic/maxResultSizeChars`",
  ),
  instructions_changed: risky("The server's instructions changed"),
  prompt_added: risky("A prompt is new"),
  resource_template_added: risky("A resource template is new"),
  skill_added: risky("A skill is new"),
  input_safe: safe("A parameter became optional, or a value that was rejected is now accepted"),
  output_safe: safe("A field of the answer is now always present, or has fewer possible values"),
  risk_fell: safe("The largest answer moved to a lower risk class"),
  became_bounded: safe("The size of an answer is now limited"),
  metadata_changed: cosmetic(
    "There is a change in icons, or in a `_meta` member that clients ignore",
  ),
  definition_rewritten: cosmetic(
    "A definition was reordered or written differently, with the same meaning",
  ),
  server_changed: cosmetic("The server's version changed"),
};

export type DriftKind = keyof typeof driftRules;

export function isDriftKind(key: string): key is DriftKind {
  return Object.hasOwn(driftRules, key);
}

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
  difference: SchemaDifference,
  findExample: FindExample,
): { readonly kind: DriftKind; readonly example?: string | undefined } {
  const { keyword, narrowed, widened } = difference;
  // A removal breaks callers even where unknown names are accepted, because the name loses its meaning.
  if (keyword === "name" && narrowed)
    return { kind: `${side}_removed`, example: findExample(narrowed) };
  if (keyword === "name") return { kind: `${side}_added` };
  const breakingGap = side === "input" ? narrowed : widened;
  if (!breakingGap) return { kind: `${side}_safe` };
  if (side === "output" && keepsKnownValues(difference)) return { kind: "output_widened" };
  const example = findExample(breakingGap);
  return { kind: example === undefined ? `${side}_undecided` : `${side}_breaking`, example };
}

// If true, the change is RISKY, not BREAKING: callers may cope with the new values of the field.
function keepsKnownValues({ keyword, narrowed, widened }: SchemaDifference): boolean {
  const before = narrowed ? narrowed.from : widened?.to;
  if (["type", "required", ""].includes(keyword) && before !== "none") return false;
  return (
    !narrowed || (Array.isArray(narrowed.from) && narrowed.lost?.length !== narrowed.from.length)
  );
}

export type FailOn = "breaking" | "risky" | "safe";

const thresholdSeverities: { readonly [failOn in FailOn]: Severity } = {
  breaking: "BREAKING",
  risky: "RISKY",
  safe: "SAFE",
};

export function failsOn(failOn: FailOn, severity: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(thresholdSeverities[failOn]);
}

// `_meta` members that clients act on, such as `anthropic/maxResultSizeChars` or `ui/resourceUri`.
export const clientHints =
  /^(?:ui$|ui\/|(?:[\w-]+\.)*(?:anthropic|claude|openai|google|gemini|github|microsoft|vscode|cursor|mcp|modelcontextprotocol)(?:\.[\w-]+)*\/)/i;

export const driftValueCharactersMax = 500;

export type DefinitionChange = Change & { readonly kind: DriftKind };

export type BeforeAfter = { readonly before: unknown; readonly after: unknown };

// A SAFE change that adds text becomes `text_added`, which is RISKY: a model may obey the text.
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
