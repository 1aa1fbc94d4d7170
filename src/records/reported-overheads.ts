import type { Overhead } from "#tokens/cost/answer-overhead/overhead.ts";

// Smaller savings are not worth a change to the server.
const reportedTokensMin = 200;

const overheadPercentMin = 30;

export type OverheadCause = "instructions" | "structure" | "user_only";

type AnswerOverhead = {
  readonly tool: string;
  readonly tokens: number;
  readonly share: number;
  readonly causes: readonly { readonly cause: OverheadCause; readonly share: number }[];
};

type OverheadRow = {
  readonly tool: string;
  readonly output_tokens: number;
  readonly overhead: Overhead | null;
};

export function findAnswerOverheads(rows: readonly OverheadRow[]): AnswerOverhead[] {
  return rows.flatMap(measureOverhead).toSorted((a, b) => b.tokens - a.tokens);
}

function measureOverhead({
  tool,
  output_tokens: answerTokens,
  overhead,
}: OverheadRow): AnswerOverhead[] {
  if (overhead === null || answerTokens === 0) return [];
  const costs: readonly (readonly [OverheadCause, number])[] = [
    ["instructions", overhead.preamble_tokens],
    ["structure", Math.round(overhead.json_tokens * overhead.structure_ratio)],
    ["user_only", overhead.user_only_tokens],
  ];
  const tokens = costs.reduce((sum, [, cost]) => sum + cost, 0);
  const share = Math.min(1, tokens / answerTokens);
  if (tokens < reportedTokensMin || share * 100 <= overheadPercentMin) return [];
  const causes = costs
    .filter(([, cost]) => cost > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([cause, cost]) => ({ cause, share: Math.min(1, cost / answerTokens) }));
  return [{ tool, tokens, share, causes }];
}

const jsonSavingPercentMin = 10;

const jsonSavingsShownMax = 3;

export function findCompactJsonSavings(
  rows: readonly OverheadRow[],
): Omit<AnswerOverhead, "causes">[] {
  return rows
    .flatMap(({ tool, output_tokens: answerTokens, overhead }) => {
      const tokens = overhead === null ? 0 : overhead.json_tokens - overhead.minified_tokens;
      const share = answerTokens === 0 ? 0 : tokens / answerTokens;
      return tokens >= reportedTokensMin && share * 100 >= jsonSavingPercentMin
        ? [{ tool, tokens, share }]
        : [];
    })
    .toSorted((a, b) => b.tokens - a.tokens)
    .slice(0, jsonSavingsShownMax);
}
