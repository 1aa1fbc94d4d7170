import { createDrift, type Change, type Drift } from "./drift.ts";
import type { LockedTool } from "./lock.ts";
import { parameterDrifts } from "./parameter-drift.ts";
import { classifyRisk, risks, type RiskThresholds } from "#cost/risk.ts";
import { plural } from "#text/numbers.ts";

/** Every difference between a locked tool and the same tool as it is listed now. */
export function toolDrifts(
  before: LockedTool,
  after: LockedTool,
  thresholds: RiskThresholds,
): Drift[] {
  if (before.sha256 === after.sha256) return [];
  const drifts = [
    ...boundDrifts(before, after),
    ...riskDrifts(before, after, thresholds),
    ...parameterDrifts(before.name, before.parameters, after.parameters),
    ...textDrifts(before, after),
  ];
  if (drifts.length > 0) return drifts;
  const change = {
    what: "the definition",
    before: plural(before.tokens.total, "token"),
    after: plural(after.tokens.total, "token"),
  };
  return [createDrift("definition_changed", before.name, change)];
}

function boundDrifts(before: LockedTool, after: LockedTool): Drift[] {
  if (before.is_bounded === after.is_bounded) return [];
  const kind = after.is_bounded ? "became_bounded" : "became_unbounded";
  const change = {
    what: "the answer",
    before: describeAnswer(before),
    after: describeAnswer(after),
  };
  return [createDrift(kind, before.name, change)];
}

function describeAnswer({ is_bounded: isBounded, worst_case_tokens: tokens }: LockedTool): string {
  return isBounded ? plural(tokens, "token") : "unbounded";
}

/** A change from one risk to another. The worst case of an unbounded answer is a guess and is not compared. */
function riskDrifts(before: LockedTool, after: LockedTool, thresholds: RiskThresholds): Drift[] {
  if (!before.is_bounded || !after.is_bounded) return [];
  const was = classifyRisk(before.worst_case_tokens, thresholds);
  const is = classifyRisk(after.worst_case_tokens, thresholds);
  if (was === is) return [];
  const kind = risks.indexOf(is) > risks.indexOf(was) ? "risk_rose" : "risk_fell";
  const change = {
    what: "the risk",
    before: `${was} (${plural(before.worst_case_tokens, "token")})`,
    after: `${is} (${plural(after.worst_case_tokens, "token")})`,
  };
  return [createDrift(kind, before.name, change)];
}

function textDrifts(before: LockedTool, after: LockedTool): Drift[] {
  const drifts: Drift[] = [];
  const { name } = before;
  if (before.description_sha256 !== after.description_sha256) {
    const change = tokensChange("the description", before, after, "description");
    drifts.push(createDrift("description_changed", name, change));
  }
  if (before.schema_texts_sha256 !== after.schema_texts_sha256) {
    const what = "descriptions of parameters or fields";
    const change = tokensChange(what, before, after, "schema");
    drifts.push(createDrift("schema_texts_changed", name, change));
  }
  if (before.annotations_sha256 !== after.annotations_sha256) {
    const change = { what: "the annotations", before: null, after: null };
    drifts.push(createDrift("annotations_changed", name, change));
  }
  return drifts;
}

function tokensChange(
  what: string,
  before: LockedTool,
  after: LockedTool,
  part: keyof LockedTool["tokens"],
): Change {
  return {
    what,
    before: plural(before.tokens[part], "token"),
    after: plural(after.tokens[part], "token"),
  };
}
