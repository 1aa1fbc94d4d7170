import { join } from "node:path";
import { exitCodes, UserError } from "#kit/errors.ts";
import { importers } from "#history/importers/index.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import { type ClientReport, combineReports, reportClient } from "#history/imports/import-report.ts";
import type { MergedLogs } from "#history/imports/merge-logs.ts";
import type { Ending, Io } from "#kit/io.ts";
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
import { locateImports, findStateFolder } from "#state/storage/folders.ts";
import { findInstallationKey } from "#state/storage/identity/counter-owner.ts";
import { LogCache } from "#state/storage/logs/log-cache.ts";
import { surveyLogs } from "#state/storage/logs/find-logs.ts";
import { Teller } from "#kit/text/teller.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import { version } from "#kit/version.ts";
import { resolveRange, openTimeZone } from "../report/usage.ts";
import {
  formatHomes,
  chooseHomes,
  type LogOptions,
  ClientEstimators,
  makeLogTools,
  mergeGroups,
  type LogReading,
  type ReadClient,
  readClients,
  openRememberedServers,
} from "./read-clients.ts";
import {
  type ConversationRecords,
  makeConversationRecords,
  type RecordTools,
} from "#history/imports/conversation-records.ts";
import { deriveUuid, sha256 } from "#kit/os/hash.ts";
import {
  formatRecordLines,
  writeImports,
  writeNamedImports,
} from "#state/storage/logs/write-imports.ts";
import { importSentences } from "./sentences.ts";
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
  const teller = new Teller(io.stderr);
  const state = findStateFolder(io.env);
  const key = findInstallationKey(state);
  const { countsTokens, namesProjects } = options;
  const estimators = new ClientEstimators();
  const makeTools = (client: ImporterId) =>
    makeLogTools(countsTokens ? estimators.open(client) : undefined, {
      key,
      namesProjects,
      keepsEntries: false,
    });
  const openCache = prepareCaches(options, state, key);
  const remembered = openRememberedServers(io.env);
  const recallServers = (client: ImporterId) => remembered?.listServers(client) ?? [];
  const reading = { io, tell: teller.tell, progress: teller, makeTools, openCache, recallServers };
  const read = await readClients(options, reading);
  const listsCalls = options.format === "json";
  const imports = read.map((client) => new ClientImport(client, range, listsCalls));
  const isSaved = saveRecords(imports, options, { env: io.env, tell: teller.tell, estimators });
  const clients = imports.map((client) => client.finish());
  if (options.log === undefined) remembered?.add(read.map(({ id, servers }) => [id, servers]));
  const facts = read.map(({ id }) => importers[id]);
  const canBeReported = isSaved && options.log === undefined && countsTokens;
  const firstDay = canBeReported ? findFirstCallDay(imports, zone) : undefined;
  const document = buildImportDocument(clients, facts, { nowMs, firstDay });
  await printOutput(
    (page) => render(options.format, { document, data: { clients } }, page),
    options,
    io,
  );
  return { code: clients.length > 0 && isSaved ? exitCodes.ok : exitCodes.failed };
}

// Reports while its groups are merged for the first time.
class ClientImport {
  readonly #client: ReadClient;
  readonly #range: TimeRange;
  readonly #listsCalls: boolean;
  readonly #reports: ClientReport[] = [];
  #isReported = false;
  firstCall: string | undefined;

  constructor(client: ReadClient, range: TimeRange, listsCalls: boolean) {
    this.#client = client;
    this.#range = range;
    this.#listsCalls = listsCalls;
  }

  get id(): ImporterId {
    return this.#client.id;
  }

  *merge(): Generator<MergedLogs> {
    const isFirst = !this.#isReported;
    this.#isReported = true;
    for (const logs of mergeGroups(this.#client)) {
      if (isFirst) this.#report(logs);
      yield logs;
    }
  }

  finish(): ClientReport {
    if (!this.#isReported) for (const _logs of this.merge());
    return combineReports(this.id, this.#client.servers, this.#reports);
  }

  #report(logs: MergedLogs): void {
    const facts = { range: this.#range, knownServers: this.#client.servers };
    const report = reportClient(this.id, logs, facts);
    for (const { ts } of report.calls) {
      if (ts !== null && ts < (this.firstCall ?? "~")) this.firstCall = ts;
    }
    this.#reports.push(this.#listsCalls ? report : { ...report, calls: [] });
  }
}

function findFirstCallDay(imports: readonly ClientImport[], zone: TimeZone): string | undefined {
  const [first] = imports.flatMap(({ firstCall }) => firstCall ?? []).toSorted();
  return first === undefined ? undefined : dayText(zone.findDay(Date.parse(first)));
}

/** Undefined with `--log off`, and with `--names`: a cache must not store project names. */
function prepareCaches(
  { countsTokens, namesProjects, log }: ImportOptions,
  state: string | undefined,
  key: string,
): LogReading["openCache"] {
  if (state === undefined || namesProjects || log === "off") return undefined;
  const build = makeBuildId(version);
  return (client) => {
    const variant = `${client} ${countsTokens ? "with" : "without"} tokens`;
    return new LogCache({ folder: join(state, "import-cache"), key, build, variant });
  };
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

type SaveContext = Pick<Io, "env"> & {
  readonly tell: (sentence: string) => void;
  readonly estimators: ClientEstimators;
};

// Returns false, and prints the reason, if records cannot be written; throws UserError for the file
// of --log. Records without tokens never replace those that `report` reads.
function saveRecords(
  clients: readonly ClientImport[],
  { log, countsTokens }: Pick<ImportOptions, "log" | "countsTokens">,
  saving: SaveContext,
): boolean {
  if (log === "off" || (log === undefined && !countsTokens)) return true;
  const makeRecords = (client: ClientImport): Iterable<ConversationRecords> => ({
    [Symbol.iterator]: () => convertLogs(client, countsTokens, saving),
  });
  if (log === undefined) {
    return clients
      .map((client) => saveConversations(client.id, makeRecords(client), saving))
      .every(Boolean);
  }
  const fault = writeNamedImports(log, () => generateLines(clients, makeRecords));
  if (fault !== undefined) throw new UserError(importSentences.importFileUnwritable(log, fault));
  return true;
}

function* generateLines(
  clients: readonly ClientImport[],
  makeRecords: (client: ClientImport) => Iterable<ConversationRecords>,
): Generator<string> {
  for (const client of clients) {
    for (const { records } of makeRecords(client)) yield formatRecordLines(records);
  }
}

function* convertLogs(
  client: ClientImport,
  countsTokens: boolean,
  { estimators }: SaveContext,
): Generator<ConversationRecords> {
  const clientEstimators = estimators.open(client.id);
  const tools: RecordTools = {
    uuid: deriveUuid,
    sha256,
    findEstimation: (model) => clientEstimators.find(model),
    countTokens: (text, model) => (countsTokens ? clientEstimators.count(text, model) : null),
  };
  for (const logs of client.merge()) yield* makeConversationRecords(client.id, logs, tools);
}

function saveConversations(
  client: string,
  conversations: Iterable<ConversationRecords>,
  { env, tell }: SaveContext,
): boolean {
  const folder = findStateFolder(env);
  if (folder === undefined) {
    tell(commandSentences.stateHomeMissing());
    return false;
  }
  const path = locateImports(folder);
  const { failed, fault } = writeImports(path, client, conversations);
  if (fault === undefined) return true;
  tell(importSentences.importsUnwritable(failed, path, fault));
  return false;
}
