import { driftRules, type DriftKind, type Severity } from "./severity.ts";

export type Drift = {
  readonly severity: Severity;
  readonly kind: DriftKind;
  readonly tool: string | null;
  /** `the description`, `parameter filter.since`. */
  readonly what: string;
  /** Both null where only hashes are known. */
  readonly before: string | null;
  readonly after: string | null;
  /** JSON of a value no longer accepted, or of a newly possible answer. */
  readonly example?: string;
  /** The place of the change, the same in every run: `input.filter.since:maximum`. */
  readonly at?: string;
};

export type Change = Pick<Drift, "what" | "before" | "after" | "example" | "at">;

export function createDrift(kind: DriftKind, tool: string | null, change: Change): Drift {
  const { what, before, after, ...more } = change;
  return { severity: driftRules[kind].severity, kind, tool, what, before, after, ...more };
}
