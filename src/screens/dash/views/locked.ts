import { answerWorstCase } from "#lock/answer-worst-case.ts";
import { compareWithLock, type ListDrift } from "#lock/lock-watch.ts";
import type { Lock, LockedTool } from "#lock/lock.ts";
import type { DefinitionsRecord } from "#records/record.ts";
import type { DefinitionsView, LockFacts, ToolView, ViewRows } from "../view.ts";

export type ServerLock = {
  readonly file: string;
  readonly server: string | null;
  readonly lock: Lock;
};

export function serverOf({ server, lock }: ServerLock): string | null {
  return server ?? lock.server.name;
}

export function lockFor(locks: readonly ServerLock[], server: string): ServerLock | undefined {
  return locks.find((one) => serverOf(one) === server);
}

type LockDifferences = {
  readonly facts: LockFacts;
  readonly rows: DefinitionsView["tables"]["lock"];
};

export function lockDifferences(
  record: DefinitionsRecord,
  { file, lock }: ServerLock,
  estimator: string,
): LockDifferences {
  const isComparable = lock.estimator === estimator;
  const before = new Map(lock.tools.map(({ name, tokens }) => [name, tokens.total]));
  const after = new Map(record.tools.map(({ name, tokens }) => [name, tokens]));
  const drifts = compareWithLock(record, lock);
  const rowOf = ({ tool, change }: ListDrift) => ({
    name: tool,
    change,
    before_tokens: isComparable ? (before.get(tool) ?? null) : null,
    after_tokens: after.get(tool) ?? null,
  });
  const rows: ViewRows<ReturnType<typeof rowOf>> = Object.fromEntries(
    drifts.map((drift) => [drift.tool, rowOf(drift)] as const),
  );
  const change = isComparable ? record.total_tokens - lock.total_tokens : null;
  return { facts: { file, differences: drifts.length, change_tokens: change }, rows };
}

export function lockedWorstCase(
  { lock }: ServerLock,
  tool: string,
  listedSha256: string | undefined,
): ToolView["head"]["worst_case"] {
  const locked = lock.tools.find(({ name }) => name === tool);
  if (!locked) return null;
  const isListed = listedSha256 === locked.sha256;
  return { ...boundOf(locked, lock), is_listed: isListed };
}

type Bound = Omit<NonNullable<ToolView["head"]["worst_case"]>, "is_listed">;

/** A lock of 1.0 has tokens but no definitions. */
function boundOf(
  { definition, is_bounded: isBounded, worst_case_tokens: tokens, fields }: LockedTool,
  { risk_thresholds: thresholds }: Lock,
): Bound {
  if (!definition) {
    const basis = isBounded ? "bounded" : "unbounded";
    return { tokens: isBounded ? tokens : null, basis, items: null, item_tokens: null };
  }
  const worst = answerWorstCase(definition, thresholds);
  return {
    tokens: worst.is_assumed ? null : worst.tokens,
    basis: worst.basis,
    items: worst.items,
    // Without an output schema, the size of an item is an assumption.
    item_tokens: fields.output > 0 ? worst.base_tokens : null,
  };
}
