import { driftRules, type DriftKind, type Severity } from "./severity.ts";

/** One difference between a server and its lock. */
export type Drift = {
  readonly severity: Severity;
  readonly kind: DriftKind;
  /** Null for the server as a whole. */
  readonly tool: string | null;
  /** The part that differs, in few words: `the description`, `parameter filter.since`. */
  readonly what: string;
  /** Both null where only hashes are known. */
  readonly before: string | null;
  readonly after: string | null;
};

/** The part that differs, as it was locked and as it is. */
export type Change = {
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** A drift of that kind, with the severity of its kind. */
export function createDrift(kind: DriftKind, tool: string | null, change: Change): Drift {
  const { what, before, after } = change;
  return { severity: driftRules[kind].severity, kind, tool, what, before, after };
}
