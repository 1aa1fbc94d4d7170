import { resolve } from "node:path";
import { clients } from "#clients/index.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Ending, Io } from "#kit/io.ts";
import { quotedCharactersMax } from "#kit/limits.ts";
import {
  type SetupReport,
  type RepeatedServer,
  type SetupClient,
  type SetupServer,
  compareSetups,
  computeSetupCosts,
  configuredServersMax,
} from "#lock/setup-report.ts";
import { buildComparisonDocument } from "#screens/renderers/documents/profile.ts";
import { findHomeFolder } from "#state/storage/folders.ts";
import { readSetupFile } from "#state/storage/report-file.ts";
import {
  buildSetupDocument,
  describeServers,
  listTotalNotes,
} from "#screens/renderers/documents/setup.ts";
import { type Printout, render } from "#screens/renderers/index.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import { ask, canAsk, type Consent } from "../output/ask.ts";
import { judgeTotals, printOutput, rejectUnwritableOutput } from "../output/output-options.ts";
import {
  countProjectServers,
  findConfiguredServers,
  type FoundServer,
  hasProjectSettings,
  isStartable,
  type StartableServer,
  rejectClientsWithoutServers,
  type FoundSettings,
} from "./configured-servers.ts";
import { profileSentences, type SetupOptions } from "./options.ts";
import {
  makeProcessKey,
  startServers,
  type StartResult,
  type StartResults,
} from "./start-servers.ts";
import type { ClientId } from "#clients/ids.ts";
import { findLaunchRule, type NoLaunch } from "#clients/launch-rules.ts";
import { makeProfileEstimator } from "#lock/profile.ts";
import { sha256 } from "#kit/os/hash.ts";
import { readClaudeEnvironment } from "#state/storage/clients/find-settings.ts";
import { isObject, type JsonObject, readMember, readString } from "#wire/json.ts";
import { createReaderChooser } from "../reader-chooser.ts";

export async function profileSetup(options: SetupOptions, io: Io): Promise<Ending> {
  rejectUnwritableOutput(options);
  const { earlierFile, tokensMax } = options;
  const earlier = earlierFile === undefined ? undefined : readSetupFile(earlierFile);
  const found = findConfiguredServers(options, io);
  const { tell } = new Teller(io.stderr);
  if (found.servers.length === 0 && found.unreadable.length === 0)
    rejectClientsWithoutServers(options, io);
  if (options.project === undefined) tellAboutProjects(options, io, tell);
  const startable = found.servers.filter(isStartable).slice(0, configuredServersMax);
  const refusal = options.isConfirmed ? undefined : await confirm(startable, found, options, io);
  if (refusal) return refusal;
  const outcome = await startServers(startable, options.timeoutMs, io);
  if ("interrupted" in outcome) return outcome.interrupted;
  const report = describeSetup(found, outcome.results, options, io);
  await printSetup(report, options, io, earlier);
  if (found.servers.length === 0) {
    tell(profileSentences.serversMissing(findHomeFolder(io.env) ?? "", found.unreadable.length));
    return { code: exitCodes.failed };
  }
  const totals = report.clients.map(
    ({ name, total }) => [`the tool list of ${name}`, total.definitions_tokens] as const,
  );
  const ending = judgeTotals(totals, tokensMax, tell);
  return isUnmeasured(outcome.results, tokensMax) ? { code: exitCodes.serverUnreachable } : ending;
}

function tellAboutProjects(options: SetupOptions, io: Io, tell: Tell): void {
  if (hasProjectSettings(resolve("."), io)) tell(profileSentences.projectIgnored());
  const servers = countProjectServers(options, io);
  if (servers > 0) tell(profileSentences.projectServersIgnored(servers));
}

// True if all servers failed. With --max-total, one failure is enough, because the total would be incomplete.
function isUnmeasured(results: StartResults, tokensMax: number | undefined): boolean {
  const failures = [...results.values()].filter((result) => "failure" in result).length;
  return failures > 0 && (tokensMax !== undefined || failures === results.size);
}

/** Returns undefined if the servers may be started. */
async function confirm(
  startable: readonly FoundServer[],
  found: FoundSettings,
  options: SetupOptions,
  io: Io,
): Promise<Ending | undefined> {
  if (startable.length === 0) return undefined;
  if (!canAsk(io)) {
    await printSetup(describeSetup(found, undefined, options, io), options, io);
    return { code: exitCodes.usage };
  }
  const answer = await askToStart(startable, io);
  if ("interrupted" in answer) return answer.interrupted;
  if (answer.isYes) return undefined;
  new Teller(io.stderr).tell(profileSentences.nothingStarted());
  return { code: exitCodes.usage };
}

async function askToStart(
  servers: readonly FoundServer[],
  io: Pick<Io, "stderr" | "signals">,
): Promise<Consent> {
  const { tell } = new Teller(io.stderr);
  for (const [client, clientServers] of Map.groupBy(servers, (server) => server.client)) {
    const names = clientServers.map(({ server }) => makeSafeName(server, quotedCharactersMax));
    tell(profileSentences.serversToStart(clients[client].name, names.join(", ")));
  }
  return ask(profileSentences.startQuestion(servers.length), io);
}

async function printSetup(
  report: SetupReport,
  options: SetupOptions,
  io: Io,
  earlier?: SetupReport,
): Promise<void> {
  const printout = earlier
    ? compareWithEarlier(report, earlier, options.earlierFile ?? "")
    : { document: buildSetupDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
}

function compareWithEarlier(report: SetupReport, earlier: SetupReport, file: string): Printout {
  for (const { client, estimator } of earlier.clients) {
    const current = report.clients.find((later) => later.client === client)?.estimator.id;
    if (current !== undefined && current !== estimator.id)
      throw new UserError(profileSentences.estimatorDiffers(file, estimator.id, current));
  }
  const comparison = compareSetups(file, earlier, report);
  const { total_tokens, tools_total: servers_total, tools } = comparison;
  const servers = tools.map(({ name, before, after, delta }) => {
    // `compareSetups` joins the client and the server into one name.
    const [client = "", ...words] = name.split(" ");
    return { client, server: words.join(" "), before, after, delta };
  });
  const byEstimator = new Map(report.clients.map(({ estimator }) => [estimator.id, estimator]));
  return {
    document: buildComparisonDocument(comparison, {
      title: describeServers(report),
      noun: "server",
      totalLabel: "definitions",
      estimators: [...byEstimator.values()],
      notes: listTotalNotes(report.clients),
    }),
    data: { ...report, comparison: { file, total_tokens, servers_total, servers } },
  };
}

export function describeSetup(
  found: FoundSettings,
  results: StartResults | undefined,
  options: Pick<SetupOptions, "reading" | "project">,
  { env }: Pick<Io, "env">,
): SetupReport {
  const { servers, unreadable } = found;
  const startable = servers.filter(isStartable);
  const context = {
    results,
    reading: options.reading,
    env: readClaudeEnvironment(env, options.project),
  };
  return {
    schema_version: "1.0",
    is_dry_run: results === undefined && startable.length > 0,
    project: options.project ?? null,
    clients: [...Map.groupBy(servers, ({ client }) => client)].map(([client, clientServers]) =>
      describeClient(client, clientServers, context),
    ),
    repeated: findRepeatedServers(startable),
    unreadable,
    omitted: Math.max(0, startable.length - configuredServersMax),
  };
}

type ClientContext = Pick<SetupOptions, "reading"> & {
  readonly results: StartResults | undefined;
  readonly env: Io["env"];
};

function describeClient(
  client: ClientId,
  servers: readonly FoundServer[],
  { results, reading, env }: ClientContext,
): SetupClient {
  const { clientName } = findLaunchRule(client);
  const reader = createReaderChooser({ ...reading, client: clientName }, env)(undefined);
  const listings = servers.flatMap((server) => listEnabledTools(server, results?.get(server)));
  const { costs, total } = computeSetupCosts(
    listings.map(({ listing }) => listing),
    { reader, hash: sha256 },
  );
  const costByServer = new Map(
    listings.flatMap(({ server, omitted }, at) => {
      const cost = costs[at];
      return cost ? [[server, { ...cost, omitted_tools: omitted }] as const] : [];
    }),
  );
  return {
    client,
    name: clients[client].name,
    estimator: makeProfileEstimator(reader),
    window: reader.windowTokens,
    servers: servers.map((server) => ({
      server: server.server,
      file: server.file,
      scope: server.scope,
      ...describeState(server, results?.get(server)),
      cost: costByServer.get(server) ?? null,
    })),
    total,
  };
}

function listEnabledTools(server: FoundServer, result: StartResult | undefined) {
  if (!result || !("listing" in result)) return [];
  const { tools } = result.listing;
  const enabledTools = tools.filter((tool) => server.allowsTool(readString(tool, "name") ?? ""));
  const omitted = tools.length - enabledTools.length;
  const loadedTools = server.isAlwaysLoaded ? enabledTools.map(markAlwaysLoaded) : enabledTools;
  return [{ server, omitted, listing: { ...result.listing, tools: loadedTools } }];
}

// In Claude Code, `alwaysLoad` in a server's entry applies to every tool. A tool's `_meta` can set it to false.
function markAlwaysLoaded(tool: JsonObject): JsonObject {
  const setting = "anthropic/alwaysLoad";
  if (readMember(tool, "_meta", setting) === false) return tool;
  const meta = readMember(tool, "_meta");
  return { ...tool, _meta: { ...(isObject(meta) ? meta : {}), [setting]: true } };
}

function describeState(
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
    : {
        status: "not_started",
        failure: { kind: launch.kind, reason: `not started: ${explainNoLaunch(launch)}` },
      };
}

function explainNoLaunch(launch: Exclude<NoLaunch, { kind: "remote" }>): string {
  if (launch.kind === "env_file") return "its entry has an envFile, which only the client reads";
  const { placeholder } = launch;
  // The pattern excludes `${workspaceFolder:NAME}`, because --project cannot fill that placeholder.
  if (/^\$\{workspace(?:Folder|Root)\}$/.test(placeholder))
    return `pass --project DIR to fill ${placeholder}`;
  return `only the client can fill ${placeholder}`;
}

function findRepeatedServers(
  servers: readonly StartableServer[],
): readonly (readonly RepeatedServer[])[] {
  const byProcess = Map.groupBy(servers, ({ launch }) => makeProcessKey(launch));
  return [...byProcess.values()]
    .filter((same) => same.length > 1)
    .map((same) => same.map(({ client, server }) => ({ client, server })));
}
