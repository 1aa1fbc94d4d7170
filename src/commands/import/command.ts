import { join } from "node:path";
import { exitCodes, UserError } from "#kit/errors.ts";
import { importers } from "#history/importers/index.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import { type ClientReport, combineReports } from "#history/imports/import-report.ts";
import type { Importer } from "#history/imports/importer.ts";
import { pickEarliest } from "#history/imports/log-event.ts";
import { groupFiles } from "#history/imports/file-groups.ts";
import type { Ending, Io } from "#kit/io.ts";
import { isObject } from "#wire/json.ts";
import { makeBuildId } from "#kit/os/own-executable.ts";
import {
  buildImportDocument,
  buildSurveyDocument,
  type SurveyReport,
} from "#screens/renderers/documents/logs/import.ts";
import { render } from "#screens/renderers/index.ts";
import {
  dayText,
  type TimeZone,
  type RawRange,
  type TimeRange,
} from "#history/reports/calendar.ts";
import { locateImports, findStateFolder, rejectOccupiedFolder } from "#state/storage/folders.ts";
import { findInstallationKey } from "#state/storage/identity/counter-owner.ts";
import { LogCache } from "#state/storage/logs/log-cache.ts";
import { KnownImport, type RememberedServers } from "#state/storage/logs/known-import.ts";
import { findLogs, surveyLogs } from "#state/storage/logs/find-logs.ts";
import { Teller } from "#kit/text/teller.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import { version } from "#kit/version.ts";
import { resolveRange, openTimeZone } from "../report/usage.ts";
import {
  formatHomes,
  chooseHomes,
  type LogOptions,
  listServers,
  type LogReading,
  type ReadClient,
  readClients,
  openRememberedServers,
  importSentences,
} from "./read-clients.ts";
import { ClientEstimators } from "./log-tools.ts";
import { type LogThread, runInLanes, type MergedGroup, mergeGroup } from "./log-thread.ts";
import { unpackText } from "#state/storage/read-records.ts";
import {
  isUnfinished,
  writeImports,
  writeMarked,
  writeNamedImports,
} from "#state/storage/logs/write-imports.ts";
import { commandSentences } from "../sentences.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";

export type ImportOptions = LogOptions &
  Output<DocumentFormat> & {
    readonly range: RawRange;
    readonly timezone: string | undefined;
    readonly countsTokens: boolean;
    readonly isDryRun: boolean;
    readonly namesProjects: boolean;
    readonly log: string | undefined;
  };

export async function importLogs(options: ImportOptions, io: Io): Promise<Ending> {
  const nowMs = Date.now();
  const zone = openTimeZone(options.timezone);
  const range = resolveRange(options.range, undefined, zone, nowMs);
  if (options.isDryRun) return survey(options, io);
  const setting = openImport(options, range, io);
  const known = openKnownImport(setting);
  const imported = known?.read(isImported) ?? (await runImport(setting, known));
  const { clients, firstCallMs, isSaved } = imported;
  const canBeReported = isSaved && options.log === undefined && options.countsTokens;
  const firstDay = canBeReported ? findDay(firstCallMs, zone) : undefined;
  const facts = clients.flatMap(({ client }) => findImporter(client) ?? []);
  const document = buildImportDocument(clients, facts, { nowMs, firstDay });
  await printOutput(
    (page) => render(options.format, { document, data: { clients } }, page),
    options,
    io,
  );
  return { code: clients.length > 0 && isSaved ? exitCodes.ok : exitCodes.failed };
}

type Imported = {
  readonly clients: readonly ClientReport[];
  readonly firstCallMs: number | null;
  readonly isSaved: boolean;
};

// Sealed, so only an import of this build arrives here.
function isImported(value: unknown): value is Imported {
  return isObject(value) && Array.isArray(value["clients"]);
}

type ImportSetting = {
  readonly options: ImportOptions;
  readonly range: TimeRange;
  readonly io: Io;
  readonly teller: Teller;
  readonly state: string | undefined;
  readonly key: string;
  readonly remembered: RememberedServers | undefined;
};

function openImport(options: ImportOptions, range: TimeRange, io: Io): ImportSetting {
  const state = findStateFolder(io.env);
  if (state !== undefined) rejectOccupiedFolder(state);
  return {
    options,
    range,
    io,
    teller: new Teller(io.stderr),
    state,
    key: findInstallationKey(state),
    remembered: openRememberedServers(io.env),
  };
}

// Undefined where every call is printed, where nothing may be kept, and after an import that was killed.
function openKnownImport(setting: ImportSetting): KnownImport<Imported> | undefined {
  const { options, range, io, state, key, remembered } = setting;
  const { format, namesProjects, log, countsTokens } = options;
  if (state === undefined || format === "json" || namesProjects || log !== undefined) {
    return undefined;
  }
  if (isUnfinished(locateImports(state))) return undefined;
  const homes = chooseHomes(options, io);
  const ids = options.clients.length > 0 ? options.clients : importerIds;
  const servers = ids.map((id) => listServers(id, homes, { ...options, remembered }));
  const variant = JSON.stringify(["import", ids, range, countsTokens, servers, formatHomes(homes)]);
  const clients = ids.map((client) => ({
    client,
    files: homes.flatMap((home) => findLogs(importers[client].findFolders(home)).files),
  }));
  const folders = { folder: locateCache(state), importsFolder: locateImports(state) };
  return new KnownImport({ ...folders, key, build: makeBuildId(version), variant }, clients);
}

async function runImport(
  setting: ImportSetting,
  known: KnownImport<Imported> | undefined,
): Promise<Imported> {
  const { options, io, teller, key, remembered } = setting;
  const { countsTokens, namesProjects } = options;
  const estimators = new ClientEstimators();
  // False once a sentence has said that something is missing: the next import says so again.
  let isWhole = true;
  const tell = (sentence: string): void => {
    isWhole = false;
    teller.tell(sentence);
  };
  const reading = {
    io,
    tell,
    progress: teller,
    toolOptions: { countsTokens, key, namesProjects, keepsEntries: false },
    estimators,
    openCache: prepareCaches(setting),
    remembered,
  };
  const clients = await readClients(options, reading, (client, thread) =>
    mergeClient(client, setting, { estimators, thread }),
  );
  const isSaved = saveRecords(clients, options, { env: io.env, tell });
  if (options.log === undefined) remembered?.add(clients.map(({ id, servers }) => [id, servers]));
  const imported = {
    clients: clients.map(({ report }) => report),
    firstCallMs: clients.map(({ firstCallMs }) => firstCallMs).reduce(pickEarliest, null),
    isSaved,
  };
  if (isWhole) known?.write(imported);
  return imported;
}

type MergedClient = MergedGroup & { readonly id: ImporterId; readonly servers: readonly string[] };

// Logs that share nothing are merged one after another: all at once would take several times as much memory.
async function mergeClient(
  { id, logs, servers }: ReadClient,
  { options, range }: ImportSetting,
  { estimators, thread }: MergeContext,
): Promise<MergedClient> {
  const { log, countsTokens, format } = options;
  const listsCalls = format === "json";
  const hasRecords = log !== "off" && (log !== undefined || countsTokens);
  const records = hasRecords ? { countsTokens } : undefined;
  const groups = await runInLanes(groupFiles(logs), thread, async (group, _index, laneThread) => {
    const order = { client: id, logs: group, servers, range, listsCalls, records };
    return laneThread ? laneThread.merge(order) : mergeGroup(order, estimators);
  });
  return {
    id,
    servers,
    report: combineReports(
      id,
      servers,
      groups.map(({ report }) => report),
    ),
    firstCallMs: groups.map(({ firstCallMs }) => firstCallMs).reduce(pickEarliest, null),
    conversations: groups.flatMap(({ conversations }) => conversations),
  };
}

type MergeContext = {
  readonly estimators: ClientEstimators;
  readonly thread: LogThread | undefined;
};

function findDay(ms: number | null, zone: TimeZone): string | undefined {
  return ms === null ? undefined : dayText(zone.findDay(ms));
}

function findImporter(client: string): Importer | undefined {
  const id = importerIds.find((name) => name === client);
  return id && importers[id];
}

function locateCache(state: string): string {
  return join(state, "import-cache");
}

// Undefined with `--log off`, and with `--names`: a cache must not store project names. Without tokens, reading a
// log again takes as long as writing it to a cache.
function prepareCaches({ options, state, key }: ImportSetting): LogReading["openCache"] {
  const { countsTokens, namesProjects, log } = options;
  if (state === undefined || namesProjects || log === "off" || !countsTokens) return undefined;
  const build = makeBuildId(version);
  return (client) => new LogCache({ folder: locateCache(state), key, build, variant: client });
}

async function survey(options: ImportOptions, io: Io): Promise<Ending> {
  const homes = chooseHomes(options, io);
  const chosenIds = options.clients.length === 0 ? importerIds : options.clients;
  const clients = chosenIds.flatMap((client): SurveyReport["clients"] => {
    const logFolders = homes.flatMap((home) => importers[client].findFolders(home));
    const folders = surveyLogs(logFolders);
    const { unverified = [] } = importers[client];
    return folders.length === 0
      ? []
      : [{ client, folders: folders.map(describeFolder), unverified }];
  });
  const report = { clients };
  const printout = { document: buildSurveyDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  if (clients.length > 0) return { code: exitCodes.ok };
  new Teller(io.stderr).tell(importSentences.logsMissing(undefined, formatHomes(homes)));
  return { code: exitCodes.failed };
}

function describeFolder({
  oldestMs,
  newestMs,
  faults,
  ...rest
}: ReturnType<typeof surveyLogs>[number]) {
  return {
    ...rest,
    oldest: formatTime(oldestMs),
    newest: formatTime(newestMs),
    unreadable: faults,
  };
}

function formatTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

type SaveContext = Pick<Io, "env"> & { readonly tell: (sentence: string) => void };

// Returns false, and prints the reason, if records cannot be written; throws UserError for the file of --log. Records
// without tokens are written to a named file only: `report` keeps those with tokens.
function saveRecords(
  clients: readonly MergedClient[],
  { log, countsTokens }: Pick<ImportOptions, "log" | "countsTokens">,
  saving: SaveContext,
): boolean {
  if (log === "off" || (log === undefined && !countsTokens)) return true;
  if (log === undefined) return saveClients(clients, saving);
  const packed = clients.flatMap(({ conversations }) => conversations);
  const fault = writeNamedImports(log, () =>
    packed.values().map((file) => unpackText(file.packed)),
  );
  if (fault !== undefined) throw new UserError(importSentences.importFileUnwritable(log, fault));
  return true;
}

function saveClients(clients: readonly MergedClient[], { env, tell }: SaveContext): boolean {
  const folder = findStateFolder(env);
  if (folder === undefined) {
    tell(commandSentences.stateHomeMissing());
    return false;
  }
  const path = locateImports(folder);
  const saved = writeMarked(path, () =>
    clients.map(({ id, conversations }) => writeImports(path, id, conversations)),
  );
  for (const { failed, fault } of saved) {
    if (fault !== undefined) tell(importSentences.importsUnwritable(failed, path, fault));
  }
  return saved.every(({ fault }) => fault === undefined);
}
