import { rmSync } from "node:fs";
import { attempt, exitCodes } from "#kit/errors.ts";
import { importers } from "#history/importers/index.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import { type ClientReport, combineReports } from "#history/imports/import-report.ts";
import type { Importer, UserHome } from "#history/imports/importer.ts";
import { pickEarliest } from "#history/imports/log-event.ts";
import type { Ending, Io } from "#kit/io.ts";
import { isObject } from "#wire/json.ts";
import { makeBuildId } from "#kit/os/current-executable.ts";
import {
  buildClientList,
  buildImportDocument,
  buildSurveyDocument,
  type SurveyReport,
} from "#screens/renderers/documents/logs/import.ts";
import { render } from "#screens/renderers/index.ts";
import { formatDay } from "#history/reports/calendar.ts";
import type { RawRange, TimeRange } from "#history/reports/time-range.ts";
import {
  locateImportCache,
  locateImports,
  findHomeFolder,
  findStateFolder,
  rejectOccupiedFolder,
} from "#state/storage/folders.ts";
import { findOrMakeInstallationKey } from "#state/storage/identity/counter-owner.ts";
import { GroupCache, locateGroupCache, type LogGroup } from "#state/storage/logs/group-cache.ts";
import { LastImport, type ImportChoices } from "#state/storage/logs/last-import.ts";
import {
  findLogs,
  listLogFolders,
  type LogSurvey,
  surveyLogs,
} from "#state/storage/logs/find-logs.ts";
import { Teller } from "#kit/text/teller.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import { version } from "#kit/version.ts";
import { resolveRange, openTimeZone } from "../report/usage.ts";
import {
  formatHomes,
  chooseHomes,
  type FoundClient,
  listServers,
  readClients,
  openImportChoices,
  reportFaults,
} from "./read-clients.ts";
import { importSentences, type LogOptions } from "./options.ts";
import { EstimatorsByClient } from "./log-estimators.ts";
import { type GroupTask, type ReadGroup, readGroups } from "./log-groups.ts";
import { unpackText } from "#state/storage/compressed-files.ts";
import {
  type ConversationFile,
  hasRecords,
  isUnfinished,
  writeImports,
  writeMarked,
  writeImportFile,
} from "#state/storage/logs/write-imports.ts";
import { storageSentences } from "#state/storage/sentences.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";

export type ImportOptions = LogOptions &
  Output<DocumentFormat> & {
    readonly range: RawRange;
    readonly timezone: string | undefined;
    readonly countsTokens: boolean;
    // If set, nothing is imported. `clients` lists all log folders; `logs` lists the folders with logs or faults.
    readonly listing: "clients" | "logs" | undefined;
    // If undefined: the last choice between --names and --no-names, or false with --log.
    readonly namesProjects: boolean | undefined;
    readonly log: string | undefined;
  };

export async function importLogs(options: ImportOptions, io: Io): Promise<Ending> {
  const nowMs = Date.now();
  const zone = openTimeZone(options.timezone);
  const range = resolveRange(options.range, undefined, zone, nowMs);
  if (options.listing !== undefined) return printSurvey(options, io);
  const setting = makeImportSetting(options, range, io);
  const lastImport = openLastImport(setting);
  const result = lastImport?.read(isImportResult) ?? (await runImport(setting, lastImport));
  const { clients, firstCallMs, isSaved } = result;
  const canBeReported = isSaved && options.log === undefined && options.countsTokens;
  const firstDay =
    canBeReported && firstCallMs !== null ? formatDay(zone.findDay(firstCallMs)) : undefined;
  const clientImporters = clients.flatMap(({ client }) => findImporter(client) ?? []);
  const document = buildImportDocument(clients, clientImporters, {
    nowMs,
    fromMs: range.fromMs,
    firstDay,
  });
  const printout = { document, data: { clients } };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: clients.length > 0 && isSaved ? exitCodes.ok : exitCodes.failed };
}

type ImportResult = {
  readonly clients: readonly ClientReport[];
  readonly firstCallMs: number | null;
  readonly isSaved: boolean;
};

// A short check is enough: the file of the last import is sealed, so only this build can have written the value.
function isImportResult(value: unknown): value is ImportResult {
  return isObject(value) && Array.isArray(value["clients"]);
}

type ImportSetting = {
  readonly options: ImportOptions;
  readonly range: TimeRange;
  readonly io: Io;
  readonly teller: Teller;
  readonly stateFolder: string | undefined;
  readonly key: string;
  readonly earlierChoices: ImportChoices | undefined;
  readonly namesProjects: boolean;
};

function makeImportSetting(options: ImportOptions, range: TimeRange, io: Io): ImportSetting {
  const stateFolder = findStateFolder(io.env);
  if (stateFolder !== undefined) rejectOccupiedFolder(stateFolder);
  const earlierChoices = openImportChoices(io.env);
  const namedEarlier = options.log === undefined && earlierChoices?.namesProjects === true;
  return {
    options,
    range,
    io,
    teller: new Teller(io.stderr),
    stateFolder,
    key: findOrMakeInstallationKey(stateFolder),
    earlierChoices,
    namesProjects: options.namesProjects ?? namedEarlier,
  };
}

function openLastImport(setting: ImportSetting): LastImport<ImportResult> | undefined {
  const { options, range, io, stateFolder, key, earlierChoices, namesProjects } = setting;
  const { format, log, countsTokens } = options;
  if (stateFolder === undefined || log !== undefined) return undefined;
  if (isUnfinished(locateImports(stateFolder))) return undefined;
  const homes = chooseHomes(options, io);
  const ids = options.clients.length > 0 ? options.clients : importerIds;
  const servers = ids.map((id) => listServers(id, homes, { ...options, earlierChoices }));
  const isJson = format === "json";
  const facts = { ids, range, countsTokens, namesProjects, servers, isJson };
  const variant = JSON.stringify([facts, homes.map(({ folder }) => folder)]);
  const clients = ids.map((client) => ({
    client,
    files: homes.flatMap((home) => findLogs(listLogFolders(importers[client], home)).files),
  }));
  const folders = {
    folder: locateImportCache(stateFolder),
    importsFolder: locateImports(stateFolder),
  };
  return new LastImport({ ...folders, key, build: makeBuildId(version), variant }, clients);
}

async function runImport(
  setting: ImportSetting,
  lastImport: LastImport<ImportResult> | undefined,
): Promise<ImportResult> {
  const { options, io, teller, earlierChoices, namesProjects } = setting;
  // False after a warning: the next import must repeat it.
  let isComplete = true;
  const tell = (sentence: string): void => {
    isComplete = false;
    teller.tell(sentence);
  };
  if (options.namesProjects === false && earlierChoices?.namesProjects === true) {
    forgetNames(setting.stateFolder);
  }
  const reading = { ...setting, tell, estimators: new EstimatorsByClient() };
  const stopListening = tellIfInterrupted(setting);
  const clients = await readClients(options, { io, tell, earlierChoices }, (client) =>
    importClient(client, reading),
  ).finally(stopListening);
  teller.clearProgress();
  const isSaved = saveRecords(clients, options, { env: io.env, tell });
  if (options.log === undefined)
    earlierChoices?.add(
      clients.map(({ id, servers }) => [id, servers]),
      namesProjects,
    );
  const result = {
    clients: clients.map(({ report }) => report),
    firstCallMs: clients.map(({ firstCallMs }) => firstCallMs).reduce(pickEarliest, null),
    isSaved,
  };
  // A group with faults is not cached, so that the next import reports them again.
  if (isSaved) for (const { cache, groups } of clients) cache?.write(groups.filter(isFullyRead));
  if (isComplete) lastImport?.write(result);
  return result;
}

// Removes the cache, because it contains names of projects. All logs are then read again.
function forgetNames(stateFolder: string | undefined): void {
  if (stateFolder === undefined) return;
  attempt(() => rmSync(locateImportCache(stateFolder), { recursive: true, force: true }));
}

function isFullyRead(group: LogGroup | ReadGroup): boolean {
  return !("faults" in group) || group.faults.length === 0;
}

// Listens only while logs are read. Records are written later, so an interrupted import has imported nothing.
function tellIfInterrupted({ io, teller }: ImportSetting): () => void {
  const stopListening = io.signals.listen((signal) => {
    if (signal === "SIGTSTP") io.signals.send(io.pid, "SIGSTOP");
    if (signal === "SIGTSTP" || signal === "SIGCONT") return;
    stopListening();
    teller.tell(importSentences.interrupted());
    io.stderr.flush();
    io.signals.send(io.pid, signal);
  });
  return stopListening;
}

type ImportReading = ImportSetting & {
  readonly tell: (sentence: string) => void;
  readonly estimators: EstimatorsByClient;
};

type ImportedClient = {
  readonly id: ImporterId;
  readonly servers: readonly string[];
  readonly report: ClientReport;
  readonly firstCallMs: number | null;
  readonly groups: readonly (LogGroup | ReadGroup)[];
  readonly cache: GroupCache | undefined;
};

// Reads the files in groups: merging all of them at once would take several times as much memory.
async function importClient(
  client: FoundClient,
  reading: ImportReading,
): Promise<ImportedClient | undefined> {
  const { id, servers } = client;
  const cache = openCache(client, reading);
  const groups = await readGroups(client.files, cache?.read() ?? [], {
    task: makeTask(client, reading),
    estimators: reading.estimators,
    reportFaults: (faults) => reportFaults(faults, reading.tell),
    showProgress: (file, files) =>
      reading.teller.showProgress(importSentences.readingLogs(importers[id].name, file, files)),
  });
  const reports = groups.map(({ report }) => report);
  if (reports.every((report) => report.files_read === 0)) return undefined;
  return {
    id,
    servers,
    report: combineReports(id, servers, reports),
    firstCallMs: groups.map(({ firstCallMs }) => firstCallMs).reduce(pickEarliest, null),
    groups,
    cache,
  };
}

function makeTask(
  { id, servers }: FoundClient,
  { options, range, key, namesProjects }: ImportSetting,
): GroupTask {
  const { log, countsTokens, format } = options;
  const listsCalls = format === "json";
  const makesRecords = log !== "off" && (log !== undefined || countsTokens);
  const measuresTexts = countsTokens || makesRecords || listsCalls;
  const utilOptions = { countsTokens, measuresTexts, key, namesProjects, keepsEntries: false };
  return { client: id, servers, range, listsCalls, makesRecords, utilOptions };
}

function findImporter(client: string): Importer | undefined {
  const id = importerIds.find((name) => name === client);
  return id && importers[id];
}

// Undefined if later imports cannot use the groups of this import: it covers a limited period, counts no tokens, lists
// the calls, or does not write to the state folder.
function openCache(
  { id, files, servers }: FoundClient,
  { options, range, stateFolder, key, namesProjects }: ImportSetting,
): GroupCache | undefined {
  const { countsTokens, log, format } = options;
  const coversAllTime = range.fromMs === -Infinity && range.toMs === Infinity;
  const isReusable = coversAllTime && countsTokens && format !== "json";
  if (stateFolder === undefined || log !== undefined || !isReusable) return undefined;
  const imports = locateImports(stateFolder);
  return new GroupCache(files, {
    file: locateGroupCache(locateImportCache(stateFolder), id),
    key,
    variant: JSON.stringify([makeBuildId(version), id, servers, namesProjects]),
    hasRecords: (conversation) => hasRecords(imports, id, conversation),
  });
}

async function printSurvey(options: ImportOptions, io: Io): Promise<Ending> {
  const homes = chooseHomes(options, io);
  const chosenIds = options.clients.length === 0 ? importerIds : options.clients;
  const listsAll = options.listing === "clients";
  const clients = chosenIds
    .map((client) => surveyClient(client, homes, listsAll))
    .filter(({ folders }) => listsAll || folders.length > 0);
  const home = findHomeFolder(io.env);
  const document = listsAll
    ? buildClientList(clients, home)
    : buildSurveyDocument({ clients }, home);
  const printout = { document, data: { clients } };
  await printOutput((page) => render(options.format, printout, page), options, io);
  if (clients.length > 0) return { code: exitCodes.ok };
  new Teller(io.stderr).tell(importSentences.logsMissing(undefined, formatHomes(homes)));
  return { code: exitCodes.failed };
}

function surveyClient(
  client: ImporterId,
  homes: readonly UserHome[],
  listsAll: boolean,
): SurveyReport["clients"][number] {
  const { name, serverNames, unverified = [] } = importers[client];
  const surveys = surveyLogs(homes.flatMap((home) => listLogFolders(importers[client], home)));
  return {
    client,
    name,
    is_found: surveys.some(hasLogsOrFaults),
    server_names: serverNames,
    folders: (listsAll ? surveys : surveys.filter(hasLogsOrFaults)).map(describeFolder),
    unverified,
  };
}

function hasLogsOrFaults({ files, faults }: LogSurvey): boolean {
  return files > 0 || faults.length > 0;
}

function describeFolder({ oldestMs, newestMs, faults, ...rest }: LogSurvey) {
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

// Records without tokens are written only to the file of --log: they must not replace the records that `report` reads.
function saveRecords(
  clients: readonly ImportedClient[],
  { log, countsTokens }: Pick<ImportOptions, "log" | "countsTokens">,
  saving: SaveContext,
): boolean {
  if (log === "off" || (log === undefined && !countsTokens)) return true;
  if (log === undefined) return saveClients(clients, saving);
  const packed = clients.flatMap(listConversations).flatMap((file) => file.packed ?? []);
  const fault = writeImportFile(log, () => packed.values().map(unpackText));
  if (fault !== undefined) saving.tell(importSentences.importFileUnwritable(log, fault));
  return fault === undefined;
}

function saveClients(clients: readonly ImportedClient[], { env, tell }: SaveContext): boolean {
  const folder = findStateFolder(env);
  if (folder === undefined) {
    tell(storageSentences.homeMissing());
    return false;
  }
  const path = locateImports(folder);
  const saved = writeMarked(path, () =>
    clients.map((client) => writeImports(path, client.id, listConversations(client))),
  );
  for (const { failed, fault } of saved) {
    if (fault !== undefined) tell(importSentences.importsUnwritable(failed, path, fault));
  }
  return saved.every(({ fault }) => fault === undefined);
}

function listConversations({ groups }: ImportedClient): readonly ConversationFile[] {
  return groups.flatMap(({ conversations }) => conversations);
}
