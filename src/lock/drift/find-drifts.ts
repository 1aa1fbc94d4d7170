import { type RiskThresholds, classifyRisk, risks } from "#tokens/cost/risk.ts";
import { formatCount, pluralize } from "#kit/text/numbers.ts";
import { createDrift, type Drift, severities } from "./severity-rules.ts";
import type { LockEdit } from "./lock-diff.ts";
import { findSchemaRejection, compareDefinitions } from "./definition-changes.ts";
import type { Lock, LockedTool } from "../lock.ts";
import {
  findGrowthDrifts,
  findOfferDrifts,
  findOrderDrifts,
  findServerDrifts,
} from "./server-drifts.ts";
import { isEqual } from "#wire/json.ts";

export type DriftContext = {
  readonly thresholds: RiskThresholds;
  // True if --max-increase limits the growth: the drift `definitions_grew` is then not reported.
  readonly isGrowthLimited: boolean;
  readonly invalidEntryCount?: number | undefined;
  readonly edit?: LockEdit | undefined;
};

export function findDrifts(locked: Lock, current: Lock, context: DriftContext): Drift[] {
  const { pairs, removed, added } = pairTools(locked.tools, current.tools);
  const { edit, thresholds } = context;
  const changed = pairs.flatMap(([before, after]) => compareTools(before, after, thresholds));
  const drifts: Drift[] = [
    ...(edit ? [createDrift("lock_edited", edit.tool, edit)] : []),
    // If the schema of a locked tool has a new flaw, `changed` already has it.
    ...findListDrifts(current, context).filter(
      (flaw) => !changed.some(({ kind, tool }) => kind === flaw.kind && tool === flaw.tool),
    ),
    ...findServerDrifts(locked, current),
    ...findOfferDrifts(locked, current),
    ...findOrderDrifts(locked, current),
    ...(context.isGrowthLimited ? [] : findGrowthDrifts(locked, current)),
    ...removed.flatMap((tool) => makeRemovedDrifts(tool, added, current.tools)),
    ...changed,
    ...added.flatMap((tool) => makeAddedDrifts(tool, current.tools)),
  ];
  return drifts.toSorted((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity));
}

// Finds flaws of the current list without comparing it with the lock.
export function findListDrifts(
  current: Lock,
  { invalidEntryCount = 0 }: Pick<DriftContext, "invalidEntryCount">,
): Drift[] {
  const groups = [...Map.groupBy(current.tools, ({ name }) => name)];
  const repeated = groups.filter(([, sameName]) => sameName.length > 1);
  const duplicates = repeated.map(([name, { length }]) => {
    const change = { what: "tool listed more than once", before: null, after: `${length} times` };
    return createDrift("tool_listed_twice", name, change);
  });
  const flaws = [...duplicates, ...current.tools.flatMap(findRejectionDrifts)];
  if (invalidEntryCount === 0) return flaws;
  const entries = invalidEntryCount === 1 ? "entry is not a tool" : "entries are not tools";
  const what = `${formatCount(invalidEntryCount)} list ${entries}: clients reject the whole list`;
  return [createDrift("entries_not_tools", null, { what, before: null, after: null }), ...flaws];
}

type ToolPair = readonly [before: LockedTool, after: LockedTool];

function pairTools(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
): { readonly pairs: ToolPair[]; readonly removed: LockedTool[]; readonly added: LockedTool[] } {
  const added = [...after];
  const takeFirst = (matches: (tool: LockedTool) => boolean): LockedTool | undefined => {
    const at = added.findIndex(matches);
    return at < 0 ? undefined : added.splice(at, 1)[0];
  };
  const exactMatches = new Map(
    before.map((tool) => [
      tool,
      takeFirst((candidate) => candidate.name === tool.name && candidate.sha256 === tool.sha256),
    ]),
  );
  const removed: LockedTool[] = [];
  const pairs = before.flatMap((tool): ToolPair[] => {
    const match = exactMatches.get(tool) ?? takeFirst((candidate) => candidate.name === tool.name);
    if (!match) removed.push(tool);
    return match ? [[tool, match]] : [];
  });
  return { pairs, removed, added };
}

// A renamed tool counts as removed, because clients cannot call it by its old name.
function makeRemovedDrifts(
  tool: LockedTool,
  added: readonly LockedTool[],
  listed: readonly LockedTool[],
): Drift[] {
  const { name } = tool;
  const { length: left } = listed.filter((other) => other.name === name);
  if (left > 1) return [];
  const once = { what: "tool is now listed only once", before: null, after: null };
  if (left === 1) return [createDrift("text_changed", name, once)];
  const renamed = added.find(({ definition }) =>
    isEqual({ ...tool.definition, name: definition["name"] }, definition),
  );
  const change = renamed
    ? { what: "tool renamed", before: name, after: renamed.name }
    : { what: "tool removed", before: null, after: null };
  return [createDrift("tool_removed", name, change)];
}

function makeAddedDrifts({ name, tokens }: LockedTool, listed: readonly LockedTool[]): Drift[] {
  if (listed.filter((tool) => tool.name === name).length > 1) return [];
  const change = { what: "new tool", before: null, after: pluralize(tokens.total, "token") };
  return [createDrift("tool_added", name, change)];
}

function findRejectionDrifts({ name, definition }: LockedTool): Drift[] {
  const change = findSchemaRejection(definition["inputSchema"]);
  if (!change) return [];
  const { kind, ...details } = change;
  return [createDrift(kind, name, details)];
}

export function compareTools(
  before: LockedTool,
  after: LockedTool,
  thresholds: RiskThresholds,
): Drift[] {
  if (before.sha256 === after.sha256) return [];
  return [
    ...findBoundDrifts(before, after),
    ...findRiskDrifts(before, after, thresholds),
    ...compareDefinitions(before.definition, after.definition).map(({ kind, ...change }) =>
      createDrift(kind, before.name, change),
    ),
  ];
}

function findBoundDrifts(before: LockedTool, after: LockedTool): Drift[] {
  if (before.is_bounded === after.is_bounded) return [];
  const kind = after.is_bounded ? "became_bounded" : "became_unbounded";
  const change = {
    what: `answer became ${after.is_bounded ? "bounded" : "unbounded"}`,
    before: describeAnswer(before),
    after: describeAnswer(after),
  };
  return [createDrift(kind, before.name, change)];
}

function describeAnswer({ is_bounded: isBounded, worst_case_tokens: tokens }: LockedTool): string {
  return isBounded ? pluralize(tokens, "token") : "unbounded";
}

// The worst case of an unbounded answer is a guess, so it is not compared.
function findRiskDrifts(
  before: LockedTool,
  after: LockedTool,
  thresholds: RiskThresholds,
): Drift[] {
  if (!before.is_bounded || !after.is_bounded) return [];
  const oldRisk = classifyRisk(before.worst_case_tokens, thresholds);
  const newRisk = classifyRisk(after.worst_case_tokens, thresholds);
  if (oldRisk === newRisk) return [];
  const hasRisen = risks.indexOf(newRisk) > risks.indexOf(oldRisk);
  const change = {
    what: `risk ${hasRisen ? "rose" : "fell"}`,
    before: `${oldRisk} (${pluralize(before.worst_case_tokens, "token")})`,
    after: `${newRisk} (${pluralize(after.worst_case_tokens, "token")})`,
  };
  return [createDrift(hasRisen ? "risk_rose" : "risk_fell", before.name, change)];
}
