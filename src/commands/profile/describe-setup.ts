import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { launchRule } from "#clients/launch-rules.ts";
import type { NoLaunch } from "#clients/launch.ts";
import type { Io } from "#kit/io.ts";
import { configuredServersMax } from "#kit/limits.ts";
import { describeEstimator } from "#lock/profile.ts";
import { setupCosts } from "#lock/setup/setup-cost.ts";
import type {
  ServerPlace,
  SetupClient,
  SetupFailure,
  SetupReport,
  SetupServer,
} from "#lock/setup/setup-report.ts";
import { sha256 } from "#kit/os/sha256.ts";
import { claudeEnvironment } from "#state/storage/clients/claude-environment.ts";
import { isObject, type JsonObject, memberAt, textAt } from "#wire/json.ts";
import { readerFor } from "../reader.ts";
import { type FoundServer, type FoundSettings, isStartable } from "./configured-servers.ts";
import type { SetupOptions } from "./setup-options.ts";
import { processKey, type StartResult } from "./start-servers.ts";

export type SetupResults = ReadonlyMap<FoundServer, StartResult>;

export function describeSetup(
  found: FoundSettings,
  results: SetupResults | undefined,
  options: Pick<SetupOptions, "reading" | "project">,
  { env }: Pick<Io, "env">,
): SetupReport {
  const { servers, unreadable } = found;
  const startable = servers.filter(isStartable);
  const terms = { results, reading: options.reading, env: claudeEnvironment(env, options.project) };
  const describeClient = ([client, own]: readonly [ClientId, readonly FoundServer[]]) =>
    setupClient(client, own, terms);
  return {
    schema_version: "1.0",
    is_dry_run: results === undefined && startable.length > 0,
    project: options.project ?? null,
    clients: [...Map.groupBy(servers, ({ client }) => client)].map(describeClient),
    repeated: repeatedServers(startable),
    unreadable,
    omitted: Math.max(0, startable.length - configuredServersMax),
  };
}

type ClientTerms = Pick<SetupOptions, "reading"> & {
  readonly results: SetupResults | undefined;
  readonly env: Io["env"];
};

function setupClient(
  client: ClientId,
  servers: readonly FoundServer[],
  { results, reading, env }: ClientTerms,
): SetupClient {
  const { clientName } = launchRule(client);
  const reader = readerFor({ ...reading, client: clientName }, env)(undefined);
  const listed = servers.flatMap((server) => listedBy(server, results?.get(server)));
  const { costs, total } = setupCosts(
    listed.map(({ listing }) => listing),
    { reader, hash: sha256 },
  );
  const costOf = new Map(
    listed.flatMap(({ server, omitted }, at) => {
      const cost = costs[at];
      return cost ? [[server, { ...cost, omitted_tools: omitted }] as const] : [];
    }),
  );
  return {
    client,
    name: clients[client].name,
    estimator: describeEstimator(reader),
    window: reader.windowTokens,
    servers: servers.map((server) => ({
      server: server.server,
      file: server.file,
      scope: server.scope,
      ...stateOf(server, results?.get(server)),
      cost: costOf.get(server) ?? null,
    })),
    total,
  };
}

function listedBy(server: FoundServer, result: StartResult | undefined) {
  if (!result || !("listing" in result)) return [];
  const { tools } = result.listing;
  const kept = tools.filter((tool) => server.keeps(textAt(tool, "name") ?? ""));
  const omitted = tools.length - kept.length;
  const loaded = server.isAlwaysLoaded ? kept.map(alwaysLoaded) : kept;
  return [{ server, omitted, listing: { ...result.listing, tools: loaded } }];
}

/** As Claude Code takes the tools of such an entry: one may say of itself that it is not. */
function alwaysLoaded(tool: JsonObject): JsonObject {
  const setting = "anthropic/alwaysLoad";
  if (memberAt(tool, "_meta", setting) === false) return tool;
  const meta = memberAt(tool, "_meta");
  return { ...tool, _meta: { ...(isObject(meta) ? meta : {}), [setting]: true } };
}

function stateOf(
  { launch }: FoundServer,
  result: StartResult | undefined,
): Pick<SetupServer, "status" | "failure"> {
  if (result) {
    return "listing" in result
      ? { status: "profiled", failure: null }
      : { status: "failed", failure: result.failure };
  }
  if (!("kind" in launch)) return { status: "not_started", failure: null };
  return launch.kind === "remote"
    ? { status: "remote", failure: null }
    : { status: "not_started", failure: failureOf(launch) };
}

function failureOf(launch: Exclude<NoLaunch, { kind: "remote" }>): SetupFailure {
  return { kind: launch.kind, reason: `not started: ${needOf(launch)}` };
}

function needOf(launch: Exclude<NoLaunch, { kind: "remote" }>): string {
  if (launch.kind === "env_file") return "only the client reads its envFile";
  const { placeholder } = launch;
  // The same form with a name is of another folder of a workspace.
  if (placeholder === "${workspaceFolder}") return `${placeholder} is filled with --project DIR`;
  return `only the client can fill ${placeholder}`;
}

function repeatedServers(servers: readonly FoundServer[]): readonly (readonly ServerPlace[])[] {
  const byProcess = Map.groupBy(servers.filter(isStartable), ({ launch }) => processKey(launch));
  return [...byProcess.values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ client, server }) => ({ client, server })));
}
