import type { Overhead } from "#tokens/cost/overhead/overhead.ts";

// Less is not worth a change to the server.
const jsonSavingTokensMin = 200;

const jsonSavingPercentMin = 10;

const jsonSavingsShownMax = 3;

export type CompactJsonSaving = {
  readonly tool: string;
  readonly tokens: number;
  readonly share: number;
};

type Row = {
  readonly tool: string;
  readonly output_tokens: number;
  readonly overhead: Overhead | null;
};

export function compactJsonSavings(rows: readonly Row[]): CompactJsonSaving[] {
  return rows
    .flatMap(({ tool, output_tokens: all, overhead }) => {
      const tokens = overhead === null ? 0 : overhead.json_tokens - overhead.minified_tokens;
      const share = all === 0 ? 0 : tokens / all;
      return tokens >= jsonSavingTokensMin && share * 100 >= jsonSavingPercentMin
        ? [{ tool, tokens, share }]
        : [];
    })
    .toSorted((one, other) => other.tokens - one.tokens)
    .slice(0, jsonSavingsShownMax);
}
