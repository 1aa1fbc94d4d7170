import type { DefinitionPrice } from "./begin-tool.ts";
import type { JsonObject } from "#wire/json.ts";
import type { ClientProfile } from "./client-profiles/client-profile.ts";
import type { Estimator } from "./estimator.ts";
import type { ModelFamily } from "./models.ts";

export type CountSource = { readonly maker: string; readonly model: string };

export type ExactList = {
  readonly source: CountSource;
  readonly tokens: readonly number[];
  readonly perList: number;
};

type ExactPrices = { find(hashes: readonly string[]): ExactList | undefined };

export type KnownCounts = { get(key: string): number | undefined };

export type CountKeys = {
  readonly base: string;
  readonly perList: string;
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

export function makeExactPrices(
  source: CountSource,
  counts: KnownCounts,
  hash: (text: string) => string,
): ExactPrices {
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
      const tokens = shareOut(
        toolCounts.map((count) => Math.max(0, count - perList)),
        total,
      );
      return { source, tokens, perList: total - sum(tokens) };
    },
  };
}

// The shares never add up to more than the price of the list.
function shareOut(prices: readonly number[], total: number): readonly number[] {
  const estimatedTotal = sum(prices);
  return estimatedTotal <= total
    ? prices
    : prices.map((price) => Math.floor((price / estimatedTotal) * total));
}

export function splitTokens(price: DefinitionPrice, tokens: number): DefinitionPrice {
  const { name_tokens: name, description_tokens: description, schema_tokens: schema } = price;
  const estimate = name + description + schema;
  if (estimate === 0) return { ...price, schema_tokens: tokens };
  const nameTokens = Math.floor((name / estimate) * tokens);
  const descriptionTokens = Math.floor((description / estimate) * tokens);
  return {
    ...price,
    name_tokens: nameTokens,
    description_tokens: descriptionTokens,
    schema_tokens: tokens - nameTokens - descriptionTokens,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export type Reader = {
  readonly estimator: Estimator;
  readonly family: ModelFamily;
  readonly profile: ClientProfile;
  readonly windowTokens: number;
  readonly model: string | null;
  readonly tools?: KnownTools;
  readonly exact?: ExactPrices;
};

export type ChooseReader = (clientName: string | undefined, clientVersion?: string) => Reader;

type KnownTools = { find(name: string): JsonObject | undefined };
