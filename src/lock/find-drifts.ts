import { createDrift, type Drift } from "./drift.ts";
import type { Lock, LockedTool } from "./lock.ts";
import { severities } from "./severity.ts";
import { toolDrifts } from "./tool-drift.ts";
import type { RiskThresholds } from "#cost/risk.ts";
import { plural } from "#text/numbers.ts";

/**
 * Every drift from `locked` to `now`, worst first. With `isOverLimit` the definitions cost more than they
 * may, and an added tool is a risk.
 */
export function findDrifts(
  locked: Lock,
  now: Lock,
  thresholds: RiskThresholds,
  isOverLimit: boolean = false,
): Drift[] {
  const { pairs, removed, added } = pairTools(locked.tools, now.tools);
  const drifts: Drift[] = [
    ...serverDrifts(locked, now),
    ...removed.map(removedDrift),
    ...pairs.flatMap(([before, after]) => toolDrifts(before, after, thresholds)),
    ...added.map((tool) => addedDrift(tool, isOverLimit)),
  ];
  return drifts.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

type Pair = readonly [before: LockedTool, after: LockedTool];

/** Pairs tools by name; tools that share a name are paired in order. */
function pairTools(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
): { readonly pairs: Pair[]; readonly removed: LockedTool[]; readonly added: LockedTool[] } {
  const unpaired = new Map<string, LockedTool[]>();
  for (const tool of after) unpaired.set(tool.name, [...(unpaired.get(tool.name) ?? []), tool]);
  const pairs: Pair[] = [];
  const removed: LockedTool[] = [];
  for (const tool of before) {
    const match = unpaired.get(tool.name)?.shift();
    if (match) pairs.push([tool, match]);
    else removed.push(tool);
  }
  return { pairs, removed, added: [...unpaired.values()].flat() };
}

function serverDrifts(locked: Lock, now: Lock): Drift[] {
  const drifts: Drift[] = [];
  if (locked.instructions.sha256 !== now.instructions.sha256) {
    const [before, after] = [describeInstructions(locked), describeInstructions(now)];
    const change = { what: "the instructions", before, after };
    drifts.push(createDrift("instructions_changed", null, change));
  }
  const [before, after] = [describeServer(locked), describeServer(now)];
  if (before !== after) {
    drifts.push(createDrift("server_changed", null, { what: "the server", before, after }));
  }
  return drifts;
}

function describeInstructions({ instructions: { sha256, tokens } }: Lock): string {
  return sha256 === null ? "none" : plural(tokens, "token");
}

function describeServer({ server: { name, version } }: Lock): string {
  return `${name ?? "?"} ${version ?? "?"}`;
}

function removedDrift({ name }: LockedTool): Drift {
  const change = { what: "the tool", before: "listed", after: "removed" };
  return createDrift("tool_removed", name, change);
}

function addedDrift({ name, tokens }: LockedTool, isOverLimit: boolean): Drift {
  const change = { what: "the tool", before: "not listed", after: plural(tokens.total, "token") };
  return createDrift(isOverLimit ? "tool_added_over_budget" : "tool_added", name, change);
}
