/** Worst first. */
export const severities = ["BREAKING", "RISKY", "SAFE", "COSMETIC"] as const;

export type Severity = (typeof severities)[number];

/** Worst first. */
export const driftRules = {
  tool_removed: { severity: "BREAKING", meaning: "A tool was removed, or has another name" },
  tool_listed_twice: { severity: "BREAKING", meaning: "A tool is listed more than once" },
  entries_not_tools: {
    severity: "BREAKING",
    meaning: "An entry of the list is not a tool: clients reject the whole list",
  },
  input_schema_rejected: {
    severity: "BREAKING",
    meaning: "An input schema is not of type `object`: clients reject the whole list",
  },
  definition_unknown: {
    severity: "BREAKING",
    meaning: "A definition differs from a lock of 1.0, which does not show how",
  },
  lock_edited: {
    severity: "BREAKING",
    meaning:
      "The lock was edited, or another version wrote it: its values are not those of its definitions",
  },
  prompt_removed: { severity: "BREAKING", meaning: "A prompt was removed" },
  prompt_listed_twice: { severity: "BREAKING", meaning: "A prompt is listed more than once" },
  resource_template_removed: { severity: "BREAKING", meaning: "A resource template was removed" },
  resource_template_listed_twice: {
    severity: "BREAKING",
    meaning: "A resource template is listed more than once",
  },
  skill_removed: { severity: "BREAKING", meaning: "A skill was removed" },
  skill_listed_twice: { severity: "BREAKING", meaning: "A skill is listed more than once" },
  risk_rose: { severity: "BREAKING", meaning: "The largest answer is in a higher class of risk" },
  input_removed: { severity: "BREAKING", meaning: "A parameter was removed" },
  input_breaking: {
    severity: "BREAKING",
    meaning: "A parameter is newly required, or a value is rejected that was accepted",
  },
  output_removed: { severity: "BREAKING", meaning: "A field of the answer was removed" },
  output_breaking: {
    severity: "BREAKING",
    meaning: "A field of the answer may be absent now, or has another type or other values",
  },
  output_schema_removed: {
    severity: "BREAKING",
    meaning: "The output schema was removed: answers may have any form and size",
  },
  output_schema_changed: {
    severity: "RISKY",
    meaning: "An output schema was added, or is not an object",
  },
  input_undecided: {
    severity: "RISKY",
    meaning: "Limits of a parameter changed; no value is known that was accepted and is not",
  },
  output_undecided: {
    severity: "RISKY",
    meaning: "Limits of a field changed; no answer is known that was not possible before",
  },
  output_widened: { severity: "RISKY", meaning: "An answer may have more values than before" },
  became_unbounded: { severity: "RISKY", meaning: "The size of an answer has no limit any more" },
  definitions_grew: {
    severity: "RISKY",
    meaning: "The definitions grew by more than 10 % or 200 tokens, whichever is less",
  },
  tool_added: { severity: "RISKY", meaning: "A tool is new" },
  tools_reordered: {
    severity: "RISKY",
    meaning: "The list of tools has another order, which ends what providers cache of a prompt",
  },
  input_added: { severity: "RISKY", meaning: "A parameter is new" },
  output_added: { severity: "RISKY", meaning: "A field of the answer is new" },
  text_added: {
    severity: "RISKY",
    meaning: "A change that would be SAFE has new text, which a model may read",
  },
  text_changed: {
    severity: "RISKY",
    meaning: "Another text changed that a model or a user may read",
  },
  description_changed: {
    severity: "RISKY",
    meaning: "A description of a tool or a prompt changed",
  },
  annotations_changed: {
    severity: "RISKY",
    meaning: "An annotation changed, by which clients decide whether to ask their user",
  },
  client_hint_changed: {
    severity: "RISKY",
    meaning:
      "A member of `_meta` changed on which clients act, such as `anthropic/maxResultSizeChars`",
  },
  instructions_changed: { severity: "RISKY", meaning: "The instructions of the server changed" },
  prompt_added: { severity: "RISKY", meaning: "A prompt is new" },
  resource_template_added: { severity: "RISKY", meaning: "A resource template is new" },
  skill_added: { severity: "RISKY", meaning: "A skill is new" },
  input_safe: { severity: "SAFE", meaning: "A caller may send more values than before" },
  output_safe: { severity: "SAFE", meaning: "An answer may have fewer values than before" },
  risk_fell: { severity: "SAFE", meaning: "The largest answer is in a lower class of risk" },
  became_bounded: { severity: "SAFE", meaning: "The size of an answer has a limit now" },
  metadata_changed: {
    severity: "COSMETIC",
    meaning: "Icons, or another member of `_meta` changed",
  },
  definition_rewritten: {
    severity: "COSMETIC",
    meaning:
      "Lists in a definition have another order, or it is written differently, with the same meaning",
  },
  server_changed: { severity: "COSMETIC", meaning: "The version of the server changed" },
} as const satisfies {
  readonly [kind: string]: { readonly severity: Severity; readonly meaning: string };
};

// Code selects drifts by key, never by text.
export type DriftKind = keyof typeof driftRules;

export function isDriftKind(key: string): key is DriftKind {
  return Object.hasOwn(driftRules, key);
}

/** Everything worse fails too. */
export type FailOn = "breaking" | "risky" | "safe";

const leastSeverities: { readonly [failOn in FailOn]: Severity } = {
  breaking: "BREAKING",
  risky: "RISKY",
  safe: "SAFE",
};

export function failsOn(failOn: FailOn, severity: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(leastSeverities[failOn]);
}
