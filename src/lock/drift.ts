import type { Lock, LockedTool } from "./lock.ts";
import { parameterDrifts } from "./parameter-drift.ts";
import { severities, type Drift, type DriftKind, type Severity } from "./severity.ts";
import { risks, classifyRisk, type RiskThresholds } from "#cost/risk.ts";

/** Every drift from `locked` to `now`, worst first; `addedSeverity` is what a new tool is. */
export function findDrifts(
  locked: Lock,
  now: Lock,
  thresholds: RiskThresholds,
  addedSeverity: "SAFE" | "RISKY" = "SAFE",
): Drift[] {
  const { pairs, removed, added } = pairTools(locked.tools, now.tools);
  const drifts: Drift[] = [
    ...serverDrifts(locked, now),
    ...removed.map((tool) =>
      drift("BREAKING", "tool_removed", tool.name, "the tool", "listed", "gone"),
    ),
    ...pairs.flatMap(([before, after]) => toolDrifts(before, after, thresholds)),
    ...added.map((tool) => addedDrift(tool, addedSeverity)),
  ];
  return drifts.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
}

type Pair = readonly [before: LockedTool, after: LockedTool];

/** Tools by name; of several with one name the first with the first. */
function pairTools(
  before: readonly LockedTool[],
  after: readonly LockedTool[],
): { readonly pairs: Pair[]; readonly removed: LockedTool[]; readonly added: LockedTool[] } {
  const waiting = new Map<string, LockedTool[]>();
  for (const tool of after) waiting.set(tool.name, [...(waiting.get(tool.name) ?? []), tool]);
  const pairs: Pair[] = [];
  const removed: LockedTool[] = [];
  for (const tool of before) {
    const found = waiting.get(tool.name)?.shift();
    if (found) pairs.push([tool, found]);
    else removed.push(tool);
  }
  return { pairs, removed, added: [...waiting.values()].flat() };
}

function serverDrifts(locked: Lock, now: Lock): Drift[] {
  const drifts: Drift[] = [];
  if (locked.instructions.sha256 !== now.instructions.sha256) {
    const [before, after] = [locked.instructions, now.instructions].map(({ sha256, tokens }) =>
      sha256 === null ? "none" : `${tokens} tokens`,
    );
    drifts.push(drift("RISKY", "instructions_changed", null, "the instructions", before, after));
  }
  const [before, after] = [locked.server, now.server].map(
    ({ name, version }) => `${name ?? "?"} ${version ?? "?"}`,
  );
  if (before !== after) {
    drifts.push(drift("COSMETIC", "server_changed", null, "the server", before, after));
  }
  return drifts;
}

function toolDrifts(before: LockedTool, after: LockedTool, thresholds: RiskThresholds): Drift[] {
  if (before.sha256 === after.sha256) return [];
  const drifts = [
    ...boundDrifts(before, after, thresholds),
    ...parameterDrifts(before.name, before.parameters, after.parameters),
    ...textDrifts(before, after),
  ];
  if (drifts.length > 0) return drifts;
  const [was, is] = [tokensOf(before), tokensOf(after)];
  return [drift("COSMETIC", "definition_changed", before.name, "the definition", was, is)];
}

/**
 * An answer that became unbounded has no worst case any more: its number is a guess, which is not held
 * against the locked one.
 */
function boundDrifts(before: LockedTool, after: LockedTool, thresholds: RiskThresholds): Drift[] {
  const [was, is] = [before, after].map(({ worst_case_tokens: tokens }) => `${tokens} tokens`);
  if (before.is_bounded && !after.is_bounded) {
    return [drift("RISKY", "became_unbounded", before.name, "the answer", was, "unbounded")];
  }
  const drifts: Drift[] = [];
  if (!before.is_bounded && after.is_bounded) {
    drifts.push(drift("SAFE", "became_bounded", before.name, "the answer", "unbounded", is));
  }
  const [risk, now] = [before, after].map((tool) =>
    classifyRisk(tool.worst_case_tokens, thresholds),
  );
  if (risk === undefined || now === undefined || risk === now) return drifts;
  const [from, to] = [`${risk}, ${was}`, `${now}, ${is}`];
  return risks.indexOf(now) > risks.indexOf(risk)
    ? [...drifts, drift("BREAKING", "risk_rose", before.name, "the risk", from, to)]
    : [...drifts, drift("SAFE", "risk_fell", before.name, "the risk", from, to)];
}

function textDrifts(before: LockedTool, after: LockedTool): Drift[] {
  const drifts: Drift[] = [];
  const [was, is] = [before, after].map(({ tokens }) => `${tokens.description} tokens`);
  if (before.description_sha256 !== after.description_sha256) {
    drifts.push(drift("RISKY", "description_changed", before.name, "the description", was, is));
  }
  if (before.schema_texts_sha256 !== after.schema_texts_sha256) {
    const [from, to] = [before, after].map(({ tokens }) => `${tokens.schema} tokens`);
    const what = "descriptions of parameters or fields";
    drifts.push(drift("RISKY", "schema_texts_changed", before.name, what, from, to));
  }
  if (before.annotations_sha256 !== after.annotations_sha256) {
    drifts.push(drift("RISKY", "annotations_changed", before.name, "the annotations", null, null));
  }
  return drifts;
}

function addedDrift(tool: LockedTool, severity: "SAFE" | "RISKY"): Drift {
  const kind = severity === "SAFE" ? "tool_added" : "tool_added_over_budget";
  return drift(severity, kind, tool.name, "the tool", "not listed", tokensOf(tool));
}

function tokensOf({ tokens }: LockedTool): string {
  return `${tokens.total} tokens`;
}

function drift(
  severity: Severity,
  kind: DriftKind,
  tool: string | null,
  what: string,
  before: string | null | undefined,
  after: string | null | undefined,
): Drift {
  return { severity, kind, tool, what, before: before ?? null, after: after ?? null };
}
