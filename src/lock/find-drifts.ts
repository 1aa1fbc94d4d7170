import { type RiskThresholds, classifyRisk, risks } from "#tokens/cost/risk.ts";
import { commonNames } from "#records/definition-summary.ts";
import { formatCount, plural } from "#kit/text/numbers.ts";
import { createDrift, type Drift, severities } from "./drift.ts";
import { valueTexts } from "./drift/change.ts";
import type { LockEdit } from "./drift/lock-diff.ts";
import { newSchemaRejection, definitionChanges } from "./drift/definition-changes.ts";
import { allowedTokens } from "./answer-limits.ts";
import { isSince, type Lock, type LockedTool } from "./lock.ts";
import { offeredDrifts, serverDrifts } from "./drift/server-drifts.ts";
import { isEqual } from "#wire/json-equal.ts";
import type { JsonObject } from "#wire/json.ts";

// Room for a sentence here and there.
const growthPercentMax = 10;

// A tenth of many tools would hide a whole tool.
const growthTokensMax = 200;

export type DriftTerms = {
  readonly thresholds: RiskThresholds;
  /** A limit of the user judges growth. */
  readonly isGrowthLimited: boolean;
  readonly notTools?: number | undefined;
  readonly edit?: LockEdit | undefined;
};

/** Worst first. */
export function findDrifts(locked: Lock, now: Lock, terms: DriftTerms): Drift[] {
  const { pairs, removed, added } = pairTools(locked.tools, now.tools);
  const { edit } = terms;
  const changed = pairs.flatMap(([before, after]) => toolDrifts(before, after, terms.thresholds));
  const drifts: Drift[] = [
    ...(edit ? [createDrift("lock_edited", edit.tool, edit)] : []),
    ...findListFaults(now, terms).filter(
      (fault) => !changed.some((one) => isSameFault(one, fault)),
    ),
    ...serverDrifts(locked, now),
    ...offeredDrifts(locked, now),
    ...orderDrifts(locked, now),
    ...(terms.isGrowthLimited ? [] : growthDrifts(locked, now)),
    ...removed.map((tool) => removedDrift(tool, added)),
    ...changed,
    ...added.flatMap((tool) => addedDrift(tool, now.tools)),
  ];
  return drifts.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

/** Reported whether or not the lock has them. */
export function findListFaults(now: Lock, { notTools = 0 }: Pick<DriftTerms, "notTools">): Drift[] {
  const groups = [...Map.groupBy(now.tools, ({ name }) => name)];
  const repeated = groups.filter(([, same]) => same.length > 1);
  const twice = repeated.map(([name, same]) => twiceDrift(name, same.length));
  const faults = [...twice, ...now.tools.flatMap(rejectionDrifts)];
  if (notTools === 0) return faults;
  const entries = notTools === 1 ? "entry is not a tool" : "entries are not tools";
  const what = `${formatCount(notTools)} list ${entries}: clients reject the list`;
  return [createDrift("entries_not_tools", null, { what, before: null, after: null }), ...faults];
}

// A new fault is already a change of its tool.
function isSameFault(one: Drift, fault: Drift): boolean {
  return one.kind === fault.kind && one.tool === fault.tool;
}

type Pair = readonly [before: LockedTool, after: LockedTool];

function pairTools(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
): { readonly pairs: Pair[]; readonly removed: LockedTool[]; readonly added: LockedTool[] } {
  const added = [...after];
  const take = (fits: (tool: LockedTool) => boolean): LockedTool | undefined => {
    const at = added.findIndex(fits);
    return at < 0 ? undefined : added.splice(at, 1)[0];
  };
  const equal = new Map(
    before.map((tool) => [
      tool,
      take((one) => one.name === tool.name && one.sha256 === tool.sha256),
    ]),
  );
  const removed: LockedTool[] = [];
  const pairs = before.flatMap((tool): Pair[] => {
    const match = equal.get(tool) ?? take((one) => one.name === tool.name);
    if (!match) removed.push(tool);
    return match ? [[tool, match]] : [];
  });
  return { pairs, removed, added };
}

// A provider caches a prompt up to its first difference.
function orderDrifts(locked: Lock, now: Lock): Drift[] {
  const [was, is] = [locked, now].map(({ tools }) => tools.map(({ name }) => name));
  const values = commonNames(was ?? [], is ?? []);
  if (!isSince(locked, "2.3") || isEqual(values.before, values.after)) return [];
  const change = { what: "order of tools changed", ...valueTexts(values) };
  return [createDrift("tools_reordered", null, change)];
}

/** Growth beyond a share or a number of tokens, whichever is less. */
function growthDrifts({ total_tokens: before }: Lock, { total_tokens: after }: Lock): Drift[] {
  const byShare = allowedTokens(before, { share: growthPercentMax / 100 });
  const allowed = Math.min(byShare, allowedTokens(before, { tokens: growthTokensMax }));
  if (after <= allowed) return [];
  const change = {
    what: `definitions grew by ${plural(after - before, "token")}`,
    before: plural(before, "token"),
    after: plural(after, "token"),
  };
  return [createDrift("definitions_grew", null, change)];
}

// A renamed tool is removed for its callers; the drift names its new name.
function removedDrift(tool: LockedTool, added: readonly LockedTool[]): Drift {
  const { name } = tool;
  const other = added.find((one) => isSameButName(tool.definition, one.definition));
  const change = other
    ? { what: "tool removed: it has another name now", before: name, after: other.name }
    : { what: "tool removed", before: null, after: null };
  return createDrift("tool_removed", name, change);
}

function isSameButName(one: JsonObject | undefined, other: JsonObject | undefined): boolean {
  return (
    one !== undefined && other !== undefined && isEqual({ ...one, name: other["name"] }, other)
  );
}

// It is unknown which of them a client calls.
function twiceDrift(name: string, times: number): Drift {
  const change = { what: "tool listed more than once", before: null, after: `${times} times` };
  return createDrift("tool_listed_twice", name, change);
}

// A second tool of a name is a fault of the list.
function addedDrift({ name, tokens }: LockedTool, listed: readonly LockedTool[]): Drift[] {
  if (listed.filter((one) => one.name === name).length > 1) return [];
  const change = { what: "new tool", before: null, after: plural(tokens.total, "token") };
  return [createDrift("tool_added", name, change)];
}

function rejectionDrifts({ name, definition }: LockedTool): Drift[] {
  const change = definition && newSchemaRejection(definition["inputSchema"]);
  if (!change) return [];
  const { kind, ...rest } = change;
  return [createDrift(kind, name, rest)];
}

export function toolDrifts(
  before: LockedTool,
  after: LockedTool,
  thresholds: RiskThresholds,
): Drift[] {
  if (before.sha256 === after.sha256) return [];
  return [
    ...boundDrifts(before, after),
    ...riskDrifts(before, after, thresholds),
    ...definitionDrifts(before, after),
  ];
}

// Without both definitions the change is unknown and may break any caller.
function definitionDrifts(before: LockedTool, after: LockedTool): Drift[] {
  const { name, definition: was, tokens } = before;
  const { definition: is } = after;
  if (was === undefined || is === undefined) {
    const change = {
      what: "definition changed; the lock does not have the old one",
      before: plural(tokens.total, "token"),
      after: plural(after.tokens.total, "token"),
    };
    return [createDrift("definition_unknown", name, change)];
  }
  return definitionChanges(was, is).map(({ kind, ...change }) => createDrift(kind, name, change));
}

function boundDrifts(before: LockedTool, after: LockedTool): Drift[] {
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
  return isBounded ? plural(tokens, "token") : "unbounded";
}

// The worst case of an unbounded answer is a guess and is not compared.
function riskDrifts(before: LockedTool, after: LockedTool, thresholds: RiskThresholds): Drift[] {
  if (!before.is_bounded || !after.is_bounded) return [];
  const was = classifyRisk(before.worst_case_tokens, thresholds);
  const is = classifyRisk(after.worst_case_tokens, thresholds);
  if (was === is) return [];
  const hasRisen = risks.indexOf(is) > risks.indexOf(was);
  const change = {
    what: `risk ${hasRisen ? "rose" : "fell"}`,
    before: `${was} (${plural(before.worst_case_tokens, "token")})`,
    after: `${is} (${plural(after.worst_case_tokens, "token")})`,
  };
  return [createDrift(hasRisen ? "risk_rose" : "risk_fell", before.name, change)];
}
