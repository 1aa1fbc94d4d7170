import { risks, type Risk } from "#tokens/cost/risk.ts";
import { pluralize } from "#kit/text/numbers.ts";
import type { ToolDefinition } from "#tokens/cost/definitions-cost.ts";

export const fieldsMax = 15;

// A paragraph of about 120 words.
export const descriptionTokensMax = 160;

const shortAnswerTokensMax = 200;

// One or two short answers do not prove that all answers of a tool are short.
const shortAnswersMin = 3;

// Up to this number, wire-only tokens are not reported, even if they are most of the definition.
export const wireOnlyTokensMin = 200;

export type Recommendation = {
  readonly severity: Risk;
  readonly kind: RecommendationKind;
  readonly tool: string;
  // Does not name its tool, so that several tools can share it.
  readonly text: string;
};

type RecommendationKind =
  | "bound_collection"
  | "cap_payload"
  | "open_list"
  | "many_fields"
  | "long_description"
  | "duplicate_description"
  | "wire_only_weight";

export type ToolReview = {
  readonly tool: ProfiledTool;
  readonly description: string;
  readonly limitParameters: readonly string[];
  readonly hasOpenList: boolean;
};

type Advice = Omit<Recommendation, "tool">;

export function recommend(reviews: readonly ToolReview[]): Recommendation[] {
  const originals = indexByDescription(reviews);
  return reviews
    .flatMap((review) => {
      const { name } = review.tool;
      const original = originals.get(review.description.trim());
      const isCopy = original !== undefined && original !== name;
      const advice = [
        ...adviseAnswer(review),
        ...adviseDefinition(review.tool),
        ...(isCopy ? [adviseDuplicate(original)] : []),
      ];
      return advice.map(({ severity, kind, text }) => ({ severity, kind, tool: name, text }));
    })
    .toSorted((a, b) => risks.indexOf(b.severity) - risks.indexOf(a.severity));
}

function indexByDescription(reviews: readonly ToolReview[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { description, tool } of reviews) {
    const text = description.trim();
    if (text !== "" && !names.has(text)) names.set(text, tool.name);
  }
  return names;
}

function adviseAnswer(review: ToolReview): Advice[] {
  const { risk, worst_case: worstCase } = review.tool;
  const isUnbounded = worstCase.basis === "unbounded";
  const advice: Advice[] = [];
  if (isUnbounded && !hasOnlyShortAnswers(review.tool)) advice.push(adviseBound(review));
  if (risk === "high" || risk === "critical") {
    advice.push({
      severity: risk,
      kind: "cap_payload",
      text: `answer may reach ${pluralize(worstCase.tokens, "token")}: add paging, or omit fields by default`,
    });
  }
  if (!isUnbounded && review.hasOpenList) {
    advice.push({
      severity: "low",
      kind: "open_list",
      text: "the output schema has a list without maxItems: declare the maximum",
    });
  }
  return advice;
}

// True if enough answers are recorded, and all of them are so short that no limit would shorten them.
function hasOnlyShortAnswers({ recorded }: ProfiledTool): boolean {
  if (!recorded) return false;
  return recorded.calls >= shortAnswersMin && recorded.max_tokens <= shortAnswerTokensMax;
}

// The severity is medium if the definition suggests a list; otherwise low, because the answer may well be short.
function adviseBound({ limitParameters: [parameter], hasOpenList }: ToolReview): Advice {
  const kind = "bound_collection";
  const problem = "the answer has no declared limit: ";
  if (parameter !== undefined)
    return {
      severity: "medium",
      kind,
      text: `${problem}give the parameter ${parameter} a maximum`,
    };
  if (!hasOpenList)
    return {
      severity: "low",
      kind,
      text: `${problem}declare the size of the answer, or add a limit parameter if the answer is a list`,
    };
  const text = `${problem}add a limit parameter with a maximum, or add maxItems to the output schema`;
  return { severity: "medium", kind, text };
}

function adviseDefinition(tool: ProfiledTool): Advice[] {
  const advice: Advice[] = [];
  const sides = [
    ["takes", tool.input_fields],
    ["returns", tool.output_fields],
  ] as const;
  for (const [verb, fields] of sides) {
    if (fields <= fieldsMax) continue;
    const text = `${verb} more than ${fieldsMax} fields: split the tool, or drop rarely used fields`;
    advice.push({ severity: "medium", kind: "many_fields", text });
  }
  if (tool.description_tokens > descriptionTokensMax) {
    const text = `description has more than ${descriptionTokensMax} tokens: move examples to the instructions or the documentation`;
    advice.push({ severity: "medium", kind: "long_description", text });
  }
  if (tool.wire_only_tokens > Math.max(wireOnlyTokensMin, tool.tokens)) {
    const text =
      "most of the definition never reaches the model: trim the output schema and the annotations";
    advice.push({ severity: "low", kind: "wire_only_weight", text });
  }
  return advice;
}

function adviseDuplicate(original: string): Advice {
  return {
    severity: "medium",
    kind: "duplicate_description",
    text: `same description as ${original}: a model cannot distinguish the two tools`,
  };
}

export type ProfiledTool = ToolDefinition & {
  readonly percent_window: number;
  readonly input_fields: number;
  readonly output_fields: number;
  readonly worst_case: WorstCase;
  readonly recorded?: RecordedSizes;
  // Null if the size of the worst case is an assumption.
  readonly risk: Risk | null;
};

// Successful answers of a tool in recorded sessions.
export type RecordedSizes = {
  readonly calls: number;
  readonly average_tokens: number;
  readonly max_tokens: number;
};

export type WorstCase = {
  readonly tokens: number;
  readonly basis: "declared" | "bounded" | "unbounded";
  // False if the definition limits the whole answer, or both the number and the size of its items.
  readonly is_assumed: boolean;
  readonly tier: Risk;
  // Where the limit is declared, such as a parameter or `outputSchema maxItems`; null if unbounded.
  readonly source: string | null;
  // Tokens of one item; null if `basis` is `declared`.
  readonly base_tokens: number | null;
  readonly items: number | null;
};
