import { definitionModel } from "#tokens/cost/estimator.ts";
import { defers } from "#tokens/cost/clients/definition-rules.ts";
import { priceDefinitions } from "#tokens/cost/price-definitions.ts";
import type { Reader } from "#tokens/cost/reader.ts";
import { percentOf } from "../percent.ts";
import type { ServerListing } from "../profile.ts";
import type { SetupCost, SetupTotal } from "./setup-report.ts";

export type SetupTerms = { readonly reader: Reader; readonly hash: (text: string) => string };

export function setupCosts(
  listings: readonly ServerListing[],
  { reader, hash }: SetupTerms,
): { readonly costs: readonly SetupCost[]; readonly total: SetupTotal } {
  const terms = { reader: settled(listings, reader), hash };
  const costs = listings.map((listing) => setupCost(listing, terms));
  return { costs, total: totalOf(costs, reader) };
}

function setupCost(listing: ServerListing, terms: SetupTerms): SetupCost {
  const { windowTokens } = terms.reader;
  const cost = priceDefinitions(listing, terms.reader, terms.hash);
  return {
    tools: cost.tools_total,
    definitions_tokens: cost.total_tokens,
    instructions_tokens: cost.instructions_tokens,
    resident_tokens: cost.resident_tokens,
    percent_window: percentOf(cost.resident_tokens, windowTokens),
    is_deferred: cost.is_deferred,
  };
}

// The share of the window is that of all servers of a client together.
function settled(listings: readonly ServerListing[], reader: Reader): Reader {
  const { profile, windowTokens } = reader;
  const { deferral } = profile.definitions;
  if (typeof deferral === "string") return reader;
  const tools = listings.flatMap((listing) => listing.tools);
  const { total_tokens: all } = priceDefinitions({ tools }, reader, (text) => text);
  // Below the share the names are listed, too.
  const settledDeferral = defers(deferral, all, windowTokens)
    ? ("always" as const)
    : { ...deferral, overPercent: Number.POSITIVE_INFINITY };
  const definitions = { ...profile.definitions, deferral: settledDeferral };
  return { ...reader, profile: { ...profile, definitions } };
}

function totalOf(costs: readonly SetupCost[], { estimator, windowTokens }: Reader): SetupTotal {
  const { perList } = definitionModel(estimator);
  const sum = (pick: (cost: SetupCost) => number): number =>
    costs.reduce((total, cost) => total + pick(cost), 0);
  const withTools = costs.filter(({ tools }) => tools > 0);
  const repeats = perList * Math.max(0, withTools.length - 1);
  const isDeferred = costs.some((cost) => cost.is_deferred);
  const resident = sum((cost) => cost.resident_tokens) - (isDeferred ? 0 : repeats);
  return {
    servers: costs.length,
    tools: sum(({ tools }) => tools),
    definitions_tokens: sum((cost) => cost.definitions_tokens) - repeats,
    instructions_tokens: sum((cost) => cost.instructions_tokens),
    resident_tokens: resident,
    percent_window: percentOf(resident, windowTokens),
    list_tokens: perList,
  };
}
