import { driftRules, type DriftKind, type Severity } from "./severity.ts";

export type Drift = {
  readonly severity: Severity;
  readonly kind: DriftKind;
  /** Null for the server as a whole. */
  readonly tool: string | null;
  /** `the description`, `parameter filter.since`. */
  readonly what: string;
  /** Both null where only hashes are known. */
  readonly before: string | null;
  readonly after: string | null;
  /** JSON of a value no longer accepted, or of a newly possible answer. */
  readonly example?: string;
};

export type Change = {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly example?: string;
};

export function createDrift(kind: DriftKind, tool: string | null, change: Change): Drift {
  const { what, before, after, example } = change;
  const proof = example === undefined ? {} : { example };
  return { severity: driftRules[kind].severity, kind, tool, what, before, after, ...proof };
}
