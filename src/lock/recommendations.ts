import type { ProfiledTool } from "./profiled-tool.ts";
import { risks, type Risk } from "#cost/risk.ts";

/** Something an author could do about a tool's cost. */
export type Recommendation = {
  readonly severity: Risk;
  readonly kind: RecommendationKind;
  readonly tool: string;
  /** A sentence without the tool's name. */
  readonly text: string;
};

export type RecommendationKind =
  | "bound_collection"
  | "cap_payload"
  | "open_list"
  | "many_fields"
  | "long_description"
  | "duplicate_description"
  | "wire_only_weight";

/** A tool with what its recommendations need beside its numbers. */
export type Weighed = {
  readonly tool: ProfiledTool;
  readonly description: string;
  /** Parameters that would bound the answer, had they a maximum. */
  readonly limitParameters: readonly string[];
  /** True when the output schema holds a list without `maxItems`. */
  readonly hasOpenList: boolean;
};

/** Fields of a schema beyond which a tool asks or answers too much at once. */
export const fieldsMax = 15;

/** Tokens of a description beyond which it is long: a paragraph of some 120 words. */
export const descriptionTokensMax = 160;

/** Tokens on the wire only that are worth a word, when they outweigh what the model reads. */
export const wireOnlyTokensMin = 200;

type Advice = Omit<Recommendation, "tool">;

/** What to do, critical first, then in the order of the list. */
export function recommend(weighed: readonly Weighed[]): Recommendation[] {
  const firstWith = new Map<string, string>();
  for (const { description, tool } of weighed) {
    const text = description.trim();
    if (text !== "" && !firstWith.has(text)) firstWith.set(text, tool.name);
  }
  return weighed
    .flatMap((one) => {
      const twin = firstWith.get(one.description.trim());
      const advice = [
        ...answerAdvice(one),
        ...definitionAdvice(one),
        ...(twin === undefined || twin === one.tool.name ? [] : [duplicate(twin)]),
      ];
      return advice.map(({ severity, kind, text }) => ({
        severity,
        kind,
        tool: one.tool.name,
        text,
      }));
    })
    .toSorted((one, other) => risks.indexOf(other.severity) - risks.indexOf(one.severity));
}

function answerAdvice({ tool, limitParameters, hasOpenList }: Weighed): Advice[] {
  const { risk, worst_case: worst } = tool;
  const advice: Advice[] = [];
  if (worst.basis === "unbounded") {
    const [parameter] = limitParameters;
    const how =
      parameter === undefined
        ? "add a limit parameter with a maximum, maxItems to the output schema, or declare a size"
        : `give ${parameter} a maximum`;
    advice.push({
      severity: risk,
      kind: "bound_collection",
      text: `nothing bounds its answer: ${how}`,
    });
  }
  if (risk === "high" || risk === "critical") {
    const most = worst.basis === "unbounded" ? "may pass" : "may reach";
    advice.push({
      severity: risk,
      kind: "cap_payload",
      text: `its answer ${most} ${worst.tokens} tokens: page it, or leave fields out by default`,
    });
  }
  if (worst.basis !== "unbounded" && hasOpenList) {
    advice.push({
      severity: "low",
      kind: "open_list",
      text: "its output schema holds a list without maxItems: say how long it may get",
    });
  }
  return advice;
}

function definitionAdvice({ tool }: Weighed): Advice[] {
  const advice: Advice[] = [];
  const sides = [
    ["takes", tool.input_fields],
    ["answers with", tool.output_fields],
  ] as const;
  for (const [verb, fields] of sides) {
    if (fields <= fieldsMax) continue;
    const text = `it ${verb} ${fields} fields, more than ${fieldsMax}: split the tool or drop what is seldom used`;
    advice.push({ severity: "medium", kind: "many_fields", text });
  }
  if (tool.description_tokens > descriptionTokensMax) {
    const text = `its description takes ${tool.description_tokens} tokens, more than ${descriptionTokensMax}: move examples to instructions or documentation`;
    advice.push({ severity: "medium", kind: "long_description", text });
  }
  if (tool.wire_only_tokens > Math.max(wireOnlyTokensMin, tool.tokens)) {
    const text = `${tool.wire_only_tokens} tokens of its definition never reach the model, more than the ${tool.tokens} that do: trim output schema and annotations`;
    advice.push({ severity: "low", kind: "wire_only_weight", text });
  }
  return advice;
}

function duplicate(twin: string): Advice {
  return {
    severity: "medium",
    kind: "duplicate_description",
    text: `its description is that of ${twin}: a model cannot tell the two apart`,
  };
}
