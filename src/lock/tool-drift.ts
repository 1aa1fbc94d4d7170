import { createDrift, type Drift } from "./drift.ts";
import { definitionChanges } from "./drift/definition-changes.ts";
import type { LockedTool } from "./lock.ts";
import { classifyRisk, risks, type RiskThresholds } from "#tokens/cost/risk.ts";
import { plural } from "#kit/text/numbers.ts";

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
