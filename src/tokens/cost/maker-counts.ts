import { addUp } from "#kit/text/numbers.ts";
import type { DefinitionTokens, CountSource } from "./definitions-cost.ts";
import { sumModelTokens } from "./count-definition.ts";

export type ExactList = {
  readonly source: CountSource;
  readonly tokens: readonly number[];
  readonly tokensPerList: number;
};

export type MakerCounts = { find(hashes: readonly string[]): ExactList | undefined };

export type KnownCounts = { get(key: string): number | undefined };

export type CountKeys = {
  readonly base: string; // key of the tokens of a request without tools
  readonly perList: string; // key of the tokens that a list costs in addition to its tools
  readonly tool: (sha256: string) => string;
  readonly list: (hashes: readonly string[]) => string;
  readonly text: (sha256: string) => string;
};

export function makeCountKeys(
  { maker, model }: CountSource,
  hash: (text: string) => string,
): CountKeys {
  const prefix = `${maker} ${model}`;
  return {
    base: `${prefix} base`,
    perList: `${prefix} per-list`,
    tool: (sha256) => `${prefix} tool ${sha256}`,
    // A list costs the same in any order.
    list: (hashes) => `${prefix} list ${hash(hashes.toSorted().join("\n"))}`,
    text: (sha256) => `${prefix} text ${sha256}`,
  };
}

export function makeMakerCounts(
  source: CountSource,
  counts: KnownCounts,
  hash: (text: string) => string,
): MakerCounts {
  const keys = makeCountKeys(source, hash);
  return {
    find(hashes) {
      if (hashes.length === 0) return undefined;
      const total = counts.get(keys.list(hashes));
      const perList = counts.get(keys.perList);
      const toolCounts = hashes.flatMap((sha256) => counts.get(keys.tool(sha256)) ?? []);
      if (total === undefined || perList === undefined || toolCounts.length < hashes.length) {
        return undefined;
      }
      const tokens = scaleDown(
        toolCounts.map((count) => Math.max(0, count - perList)),
        total,
      );
      return { source, tokens, tokensPerList: total - addUp(tokens) };
    },
  };
}

// Tools counted alone may add up to more than their list.
function scaleDown(counts: readonly number[], total: number): readonly number[] {
  const sum = addUp(counts);
  return sum <= total ? counts : counts.map((count) => Math.floor((count / sum) * total));
}

// Makers count whole definitions, so the parts keep their estimated proportions.
export function splitTokens(estimate: DefinitionTokens, tokens: number): DefinitionTokens {
  const estimated = sumModelTokens(estimate);
  if (estimated === 0) return { ...estimate, schema_tokens: tokens };
  const nameTokens = Math.floor((estimate.name_tokens / estimated) * tokens);
  const descriptionTokens = Math.floor((estimate.description_tokens / estimated) * tokens);
  return {
    ...estimate,
    name_tokens: nameTokens,
    description_tokens: descriptionTokens,
    schema_tokens: tokens - nameTokens - descriptionTokens,
  };
}
