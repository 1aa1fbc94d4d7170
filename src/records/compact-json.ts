import type { Overhead } from "#cost/overhead.ts";

/** What a tool would save by answering with compact JSON. */
export type CompactJsonSaving = {
  readonly tool: string;
  readonly tokens: number;
  /** Part of all its answers, 0…1. */
  readonly share: number;
};

type Row = {
  readonly tool: string;
  readonly output_tokens: number;
  readonly overhead: Overhead | null;
};

/** Below these nobody needs to rewrite a server. */
const tokensMin = 200;
const shareMin = 0.1;

const savingsShown = 3;

/** The tools that would save most, at most three, most first. */
export function compactJsonSavings(rows: readonly Row[]): CompactJsonSaving[] {
  return rows
    .flatMap(({ tool, output_tokens: all, overhead }) => {
      const tokens = overhead === null ? 0 : overhead.json_tokens - overhead.minified_tokens;
      const share = all === 0 ? 0 : tokens / all;
      return tokens >= tokensMin && share >= shareMin ? [{ tool, tokens, share }] : [];
    })
    .toSorted((one, other) => other.tokens - one.tokens)
    .slice(0, savingsShown);
}
