import { sumBy } from "#kit/text/numbers.ts";
import { computePercent } from "#tokens/cost/definitions-cost.ts";
import {
  type ComparedProfile,
  compareProfiles,
  type ProfileComparison,
  type ProfileEstimator,
  type ServerListing,
} from "./profile.ts";
import { pickDefinitionFormula } from "#tokens/cost/estimator.ts";
import { defers } from "#tokens/cost/client-profiles/client-profile.ts";
import { estimateDefinitions } from "#tokens/cost/add-up-definitions.ts";
import type { Reader } from "#tokens/cost/reader.ts";

// Twelve clients with fifteen servers each stay below this.
export const configuredServersMax = 200;

export type SetupReport = {
  readonly schema_version: "1.0";
  readonly is_dry_run: boolean;
  readonly project: string | null;
  readonly clients: readonly SetupClient[];
  readonly repeated: readonly (readonly RepeatedServer[])[]; // each group has the entries that start the same server
  readonly unreadable: readonly UnreadableSettings[];
  readonly omitted: number; // servers beyond `configuredServersMax`
};

export type SetupClient = {
  readonly client: string;
  readonly name: string;
  readonly estimator: ProfileEstimator;
  /** Tokens. */
  readonly window: number;
  readonly servers: readonly SetupServer[];
  readonly total: SetupTotal;
};

export type SetupServer = {
  readonly server: string;
  readonly file: string;
  readonly scope: "user" | "project";
  readonly status: "profiled" | "failed" | "not_started" | "remote";
  readonly cost: (SetupCost & OmittedTools) | null;
  readonly failure: SetupFailure | null;
};

export type SetupFailure = {
  readonly kind: string;
  // In a reason, "it" is the server. A reason may contain placeholders from the settings, but no text from the server.
  readonly reason: string;
};

// Tools that the settings exclude; not part of any other number.
type OmittedTools = { readonly omitted_tools: number };

type SetupCost = {
  readonly tools: number;
  readonly definitions_tokens: number;
  readonly instructions_tokens: number;
  // In the context before the first prompt.
  readonly resident_tokens: number;
  readonly percent_window: number;
  // `definitions_tokens` as a percentage of the sum over the client's profiled servers.
  readonly percent_total: number;
  readonly is_deferred: boolean;
};

type ServerCost = Omit<SetupCost, "percent_total">;

export type SetupTotal = Omit<ServerCost, "is_deferred"> & {
  readonly servers: number;
  // The tokens that a list of tools costs in addition to its tools. They are part of the cost of each server with
  // tools, but the total contains them only once. 0 if unknown.
  readonly list_tokens: number;
};

export type RepeatedServer = { readonly client: string; readonly server: string };

export type UnreadableSettings = {
  readonly client: string;
  readonly file: string;
  // A system error code or a short reason, never content of the file.
  readonly fault: string;
  readonly line: number | null;
};

/** Compares servers as if they were tools. Omits a server if `before` or `after` contains it without a cost. */
export function compareSetups(
  file: string,
  before: SetupReport,
  after: SetupReport,
): ProfileComparison {
  const [earlier, later] = [listServers(before), listServers(after)];
  const uncounted = new Set(
    [...earlier, ...later].flatMap(({ name, tokens }) => (tokens === undefined ? [name] : [])),
  );
  const summarize = (servers: typeof earlier): ComparedProfile => {
    const tools = servers.flatMap(({ name, tokens = 0 }) =>
      uncounted.has(name) ? [] : [{ name, tokens }],
    );
    const counted = servers.filter(({ name }) => !uncounted.has(name));
    const total = sumBy(tools, ({ tokens }) => tokens) - sumRepeatedListTokens(counted);
    return { definitions: { total_tokens: total }, instructions: { tokens: 0 }, tools };
  };
  return compareProfiles(file, summarize(earlier), summarize(later));
}

function listServers({ clients }: SetupReport) {
  return clients.flatMap(({ client, servers, total }) =>
    servers.map(({ server, cost }) => ({
      client,
      name: `${client} ${server}`,
      tokens: cost?.definitions_tokens,
      hasTools: (cost?.tools ?? 0) > 0,
      listTokens: total.list_tokens,
    })),
  );
}

function sumRepeatedListTokens(servers: ReturnType<typeof listServers>): number {
  const byClient = Map.groupBy(
    servers.filter(({ hasTools }) => hasTools),
    ({ client }) => client,
  );
  return sumBy(
    [...byClient.values()],
    ([first, ...others]) => (first?.listTokens ?? 0) * others.length,
  );
}

type SetupContext = { readonly reader: Reader; readonly hash: (text: string) => string };

export function computeSetupCosts(
  listings: readonly ServerListing[],
  { reader, hash }: SetupContext,
): { readonly costs: readonly SetupCost[]; readonly total: SetupTotal } {
  const context = { reader: settleDeferral(listings, reader), hash };
  const serverCosts = listings.map((listing) => computeServerCost(listing, context));
  const sum = sumBy(serverCosts, (cost) => cost.definitions_tokens);
  const costs = serverCosts.map((cost) => ({
    ...cost,
    percent_total: computePercent(cost.definitions_tokens, sum),
  }));
  return { costs, total: sumCosts(serverCosts, reader) };
}

function computeServerCost(listing: ServerListing, context: SetupContext): ServerCost {
  const { windowTokens } = context.reader;
  const cost = estimateDefinitions(listing, context.reader, context.hash);
  return {
    tools: cost.tools_total,
    definitions_tokens: cost.total_tokens,
    instructions_tokens: cost.instructions_tokens,
    resident_tokens: cost.resident_tokens,
    percent_window: computePercent(cost.resident_tokens, windowTokens),
    is_deferred: cost.is_deferred,
  };
}

// Some clients defer definitions if the definitions of all servers together exceed a share of the window.
function settleDeferral(listings: readonly ServerListing[], reader: Reader): Reader {
  const { profile, windowTokens } = reader;
  const { deferral } = profile.definitions;
  if (typeof deferral === "string") return reader;
  const tools = listings.flatMap((listing) => listing.tools);
  const { total_tokens: totalTokens } = estimateDefinitions({ tools }, reader, (text) => text);
  // The deferral "never" would leave out a cost: Claude Code lists the tools' names even when nothing is deferred.
  const settledDeferral = defers(deferral, totalTokens, windowTokens)
    ? ("always" as const)
    : { ...deferral, overPercent: Number.POSITIVE_INFINITY };
  const definitions = { ...profile.definitions, deferral: settledDeferral };
  return { ...reader, profile: { ...profile, definitions } };
}

function sumCosts(costs: readonly ServerCost[], { estimator, windowTokens }: Reader): SetupTotal {
  const { tokensPerList } = pickDefinitionFormula(estimator);
  const sum = (pick: (cost: ServerCost) => number): number => sumBy(costs, pick);
  const serversWithTools = costs.filter(({ tools }) => tools > 0);
  const repeatedListTokens = tokensPerList * Math.max(0, serversWithTools.length - 1);
  const isDeferred = costs.some((cost) => cost.is_deferred);
  const resident = sum((cost) => cost.resident_tokens) - (isDeferred ? 0 : repeatedListTokens);
  return {
    servers: costs.length,
    tools: sum(({ tools }) => tools),
    definitions_tokens: sum((cost) => cost.definitions_tokens) - repeatedListTokens,
    instructions_tokens: sum((cost) => cost.instructions_tokens),
    resident_tokens: resident,
    percent_window: computePercent(resident, windowTokens),
    list_tokens: tokensPerList,
  };
}
