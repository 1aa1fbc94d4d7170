import { memberAt, textAt, type JsonObject } from "#wire/json.ts";
import { answerBound, hasOpenList, limitParameters } from "./answer-bound.ts";
import type { Confidence, EstimationMethod } from "#cost/estimation.ts";
import type { Reader } from "#cost/reader.ts";
import type { ProfiledTool } from "./profiled-tool.ts";
import { recommend, type Recommendation, type Weighed } from "./recommendations.ts";
import type { DefinitionsCost, ToolDefinition } from "#cost/definitions-cost.ts";
import { higherRisk, classifyRisk, type Risk, type RiskThresholds } from "#cost/risk.ts";
import { countFields } from "./schema-walk.ts";
import { worstCaseTokens } from "./worst-case.ts";

/** What a server costs before anyone calls it: printed by a renderer as it is. */
export type Profile = {
  readonly schema_version: "1.0";
  readonly server: {
    readonly name: string | null;
    readonly version: string | null;
    readonly protocol_version: string | null;
    readonly era: "legacy" | "modern" | null;
  };
  readonly estimator: ProfileEstimator;
  /** Context window in tokens that shares are of. */
  readonly window: number;
  readonly risk_thresholds: RiskThresholds;
  readonly definitions: {
    readonly tools: number;
    readonly total_tokens: number;
    /** What a client that defers definitions keeps in context: names and instructions. */
    readonly resident_tokens: number;
    readonly wire_only_tokens: number;
    readonly percent_window: number;
  };
  readonly instructions: { readonly tokens: number; readonly sha256: string | null };
  readonly prompts: OfferedList;
  readonly resources: OfferedList;
  readonly resource_templates: OfferedList;
  readonly tools: readonly ProfiledTool[];
  readonly verdict: {
    readonly risk: Risk;
    readonly unbounded: readonly string[];
    readonly critical: readonly string[];
  };
  readonly recommendations: readonly Recommendation[];
};

export type ProfileEstimator = {
  readonly id: string;
  readonly method: EstimationMethod;
  readonly encoding: string;
  readonly confidence: Confidence;
  readonly error: string;
  readonly is_estimated: boolean;
};

/** A list that is asked for on demand: its length, and its tokens should a model read it. */
export type OfferedList = { readonly listed: number; readonly tokens: number };

export type ProfileInput = {
  readonly server: Profile["server"];
  readonly instructions: string | undefined;
  readonly tools: readonly JsonObject[];
  readonly prompts: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
  readonly resourceTemplates: readonly JsonObject[];
  /** What the meter recorded of the same list, tool by tool in the same order; undefined for an empty one. */
  readonly definitions: DefinitionsCost | undefined;
  readonly reader: Reader;
  readonly thresholds: RiskThresholds;
  readonly hash: (text: string) => string;
};

/** Weighs a server's list as the meter counted it. */
export function profileServer(input: ProfileInput): Profile {
  const { definitions, reader, instructions } = input;
  const { windowTokens, estimator } = reader;
  const weighed = (definitions?.tools ?? []).map((definition, at) =>
    weigh(definition, input.tools[at] ?? {}, input),
  );
  const tools = weighed.map(({ tool }) => tool);
  const total = definitions?.total_tokens ?? 0;
  return {
    schema_version: "1.0",
    server: input.server,
    estimator: {
      id: estimator.id,
      method: estimator.method,
      encoding: estimator.encoding,
      confidence: estimator.confidence,
      error: estimator.error,
      is_estimated: estimator.confidence !== "high",
    },
    window: windowTokens,
    risk_thresholds: input.thresholds,
    definitions: {
      tools: definitions?.tools_total ?? 0,
      total_tokens: total,
      resident_tokens: definitions?.resident_tokens ?? 0,
      wire_only_tokens: definitions?.wire_only_tokens ?? 0,
      percent_window: percent(total, windowTokens),
    },
    instructions: {
      tokens: definitions?.instructions_tokens ?? estimator.count(instructions ?? ""),
      sha256: instructions === undefined ? null : input.hash(instructions),
    },
    prompts: offered(input.prompts, reader),
    resources: offered(input.resources, reader),
    resource_templates: offered(input.resourceTemplates, reader),
    tools,
    verdict: {
      risk: tools.reduce<Risk>((worst, { risk }) => higherRisk(worst, risk), "low"),
      unbounded: tools
        .filter(({ worst_case: { basis } }) => basis === "unbounded")
        .map(({ name }) => name),
      critical: tools.filter(({ risk }) => risk === "critical").map(({ name }) => name),
    },
    recommendations: recommend(weighed),
  };
}

function weigh(definition: ToolDefinition, raw: JsonObject, input: ProfileInput): Weighed {
  const bound = answerBound(raw);
  const tokens = worstCaseTokens(bound);
  const isDeclared = bound.kind === "declared";
  const tool: ProfiledTool = {
    ...definition,
    percent_window: percent(definition.tokens, input.reader.windowTokens),
    input_fields: countFields(memberAt(raw, "inputSchema")),
    output_fields: countFields(memberAt(raw, "outputSchema")),
    worst_case: {
      tokens,
      basis: bound.kind,
      source: bound.kind === "unbounded" ? null : bound.source,
      base_tokens: isDeclared ? null : bound.baseTokens,
      items: bound.kind === "bounded" ? bound.items : null,
    },
    risk: classifyRisk(tokens, input.thresholds),
  };
  return {
    tool,
    description: textAt(raw, "description") ?? "",
    limitParameters: limitParameters(raw),
    hasOpenList: hasOpenList(memberAt(raw, "outputSchema")),
  };
}

function offered(list: readonly JsonObject[], { estimator }: Reader): OfferedList {
  return {
    listed: list.length,
    tokens: list.reduce((sum, item) => sum + estimator.count(JSON.stringify(item)), 0),
  };
}

function percent(tokens: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((tokens / whole) * 10_000) / 100;
}
