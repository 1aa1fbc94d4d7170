import { findDrifts } from "./drift.ts";
import { severities, type Drift, type Severity } from "./severity.ts";
import type { Lock } from "./lock.ts";
import type { RiskThresholds } from "#cost/risk.ts";

/** Most that definitions may cost; what is absent is not limited. */
export type LockLimits = {
  /** Growth of all definitions since the lock: a share of 0…1, or tokens. */
  readonly maxIncrease?: { readonly share: number } | { readonly tokens: number };
  readonly maxTotalTokens?: number;
  readonly maxToolTokens?: number;
};

/** One limit that is passed. */
export type LimitExcess = {
  readonly limit: "max_increase" | "max_total" | "max_tool";
  readonly tool: string | null;
  readonly tokens: number;
  readonly allowed: number;
};

/** What severities fail a check: this one and worse. */
export type FailOn = "breaking" | "risky" | "safe";

/** A server held against its lock: printed by a renderer as it is. */
export type LockReport = {
  readonly schema_version: "1.0";
  readonly server: Lock["server"];
  readonly lock_file: string;
  /** True when this run wrote the lock. */
  readonly lock_written: boolean;
  readonly estimator: string;
  readonly failed: boolean;
  readonly fail_on: FailOn;
  /** Of the worst drift; null when there is none. */
  readonly severity: Severity | null;
  /** Tokens of all definitions; before is null where there was no lock. */
  readonly total_tokens: { readonly before: number | null; readonly after: number };
  readonly tools: { readonly before: number | null; readonly after: number };
  readonly drifts: readonly Drift[];
  readonly over_limit: readonly LimitExcess[];
};

export type LockQuestion = {
  readonly lockFile: string;
  readonly limits: LockLimits;
  readonly failOn: FailOn;
  readonly thresholds: RiskThresholds;
};

/** Compares and judges. Without a lock only the limits are judged. */
export function judgeLock(locked: Lock | undefined, now: Lock, question: LockQuestion): LockReport {
  const overLimit = findExcess(locked, now, question.limits);
  const added = overLimit.length > 0 ? "RISKY" : "SAFE";
  const drifts = locked ? findDrifts(locked, now, question.thresholds, added) : [];
  const severity = drifts[0]?.severity ?? null;
  const isTooSevere =
    severity !== null &&
    severities.indexOf(severity) <= severities.indexOf(failSeverity[question.failOn]);
  return {
    schema_version: "1.0",
    server: now.server,
    lock_file: question.lockFile,
    lock_written: false,
    estimator: now.estimator,
    failed: isTooSevere || overLimit.length > 0,
    fail_on: question.failOn,
    severity,
    total_tokens: { before: locked?.total_tokens ?? null, after: now.total_tokens },
    tools: { before: locked?.tools.length ?? null, after: now.tools.length },
    drifts,
    over_limit: overLimit,
  };
}

const failSeverity: { readonly [failOn in FailOn]: Severity } = {
  breaking: "BREAKING",
  risky: "RISKY",
  safe: "SAFE",
};

function findExcess(locked: Lock | undefined, now: Lock, limits: LockLimits): LimitExcess[] {
  const { maxIncrease, maxTotalTokens, maxToolTokens } = limits;
  const excess: LimitExcess[] = [];
  const tokens = now.total_tokens;
  if (maxIncrease !== undefined && locked) {
    const before = locked.total_tokens;
    const growth =
      "share" in maxIncrease ? Math.floor(before * maxIncrease.share) : maxIncrease.tokens;
    const allowed = before + growth;
    if (tokens > allowed) excess.push({ limit: "max_increase", tool: null, tokens, allowed });
  }
  if (maxTotalTokens !== undefined && tokens > maxTotalTokens) {
    excess.push({ limit: "max_total", tool: null, tokens, allowed: maxTotalTokens });
  }
  if (maxToolTokens === undefined) return excess;
  const heavy = now.tools.filter((tool) => tool.tokens.total > maxToolTokens);
  return [
    ...excess,
    ...heavy.map((tool): LimitExcess => ({
      limit: "max_tool",
      tool: tool.name,
      tokens: tool.tokens.total,
      allowed: maxToolTokens,
    })),
  ];
}
