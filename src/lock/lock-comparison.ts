import type { Drift } from "./drift.ts";
import { diffLocks, type ToolDiff } from "./drift/lock-diff.ts";
import { findDrifts, findListFaults, type DriftTerms } from "./find-drifts.ts";
import type { Lock } from "./lock.ts";
import type { Severity } from "./severity.ts";

export type LockComparison = {
  /** Of the worst drift; null without drift. */
  readonly severity: Severity | null;
  /** `before` is null without an earlier lock. */
  readonly total_tokens: { readonly before: number | null; readonly after: number };
  readonly tools: { readonly before: number | null; readonly after: number };
  /** Largest change first; empty without an earlier lock. */
  readonly costs: readonly CostChange[];
  readonly drifts: readonly Drift[];
  readonly diffs: readonly ToolDiff[];
};

/** Null where it is absent. */
export type CostChange = {
  /** Null for the instructions. */
  readonly tool: string | null;
  readonly before: number | null;
  readonly after: number | null;
};

/** Without an earlier lock only totals and faults of the list. */
export function compareLocks(
  before: Lock | undefined,
  now: Lock,
  terms: DriftTerms,
): LockComparison {
  const drifts = before ? findDrifts(before, now, terms) : findListFaults(now, terms);
  return {
    severity: drifts[0]?.severity ?? null,
    total_tokens: { before: before?.total_tokens ?? null, after: now.total_tokens },
    tools: { before: before?.tools.length ?? null, after: now.tools.length },
    costs: before ? findCosts(before, now) : [],
    drifts,
    diffs: before ? diffLocks(before, now) : [],
  };
}

function findCosts(before: Lock, now: Lock): CostChange[] {
  const [earlier, later] = [byName(before), byName(now)];
  const names = new Set([...earlier.keys(), ...later.keys()]);
  const changes = [...names].flatMap((tool): CostChange[] => {
    const [from, to] = [earlier.get(tool), later.get(tool)];
    if (from?.hashes === to?.hashes) return [];
    return [{ tool, before: from?.tokens ?? null, after: to?.tokens ?? null }];
  });
  return [...changes, ...instructionsChange(before, now)].toSorted(
    (one, other) => growth(other) - growth(one),
  );
}

// Tools of the same name are added up.
function byName({
  tools,
}: Lock): Map<string, { readonly tokens: number; readonly hashes: string }> {
  const groups = [...Map.groupBy(tools, ({ name }) => name)];
  return new Map(
    groups.map(([name, same]) => [
      name,
      {
        tokens: same.reduce((sum, { tokens }) => sum + tokens.total, 0),
        hashes: same.map(({ sha256 }) => sha256).join(" "),
      },
    ]),
  );
}

function instructionsChange(before: Lock, now: Lock): CostChange[] {
  const [from, to] = [before.instructions, now.instructions];
  if (from.sha256 === to.sha256) return [];
  return [{ tool: null, before: instructionsTokens(from), after: instructionsTokens(to) }];
}

function instructionsTokens({ sha256, tokens }: Lock["instructions"]): number | null {
  return sha256 === null ? null : tokens;
}

function growth({ before, after }: CostChange): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}
