import { sentences, UserError, describeReason, formatSuggestion } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { importers } from "#history/importers/index.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import type { LogHome, ServerSettings } from "#history/imports/importer.ts";
import type { Io } from "#kit/io.ts";
import { findLogs, type FoundLogs, type LogFile } from "#state/storage/logs/find-logs.ts";
import type { LogCache, PackedLog } from "#state/storage/logs/log-cache.ts";
import { readLog } from "#state/storage/logs/read-log.ts";
import type { Teller } from "#kit/text/teller.ts";
import { isObject } from "#wire/json.ts";
import { readClientFile } from "#state/storage/clients/client-file.ts";
import { deservesThread, LogThread, runInLanes } from "./log-thread.ts";
import { type ClientEstimators, type LogToolOptions, makeLogTools } from "./log-tools.ts";
import {
  isFolder,
  locateImports,
  findStateFolder,
  findHomeFolder,
} from "#state/storage/folders.ts";
import { ImportChoices } from "#state/storage/logs/known-import.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { rejectArguments, readFlag, readList, requireChoice } from "../values.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";

export type ReadClient = {
  readonly id: ImporterId;
  readonly logs: readonly PackedLog[];
  readonly servers: readonly string[];
};

export type LogReading = {
  readonly io: Io;
  readonly toolOptions: LogToolOptions;
  readonly estimators: ClientEstimators;
  readonly tell: (sentence: string) => void;
  readonly openCache?: ((client: ImporterId) => LogCache) | undefined;
  readonly remembered?: ImportChoices | undefined;
  readonly progress?: Pick<Teller, "showProgress" | "clearProgress">;
};

/** Reads the logs of one client after the other; `finish` may use the thread that read them. */
export async function readClients<Finished>(
  options: LogOptions,
  reading: LogReading,
  finish: (client: ReadClient, thread: LogThread | undefined) => Finished | Promise<Finished>,
): Promise<readonly Finished[]> {
  const { io, tell, progress, remembered } = reading;
  const homes = chooseHomes(options, io);
  const searched = formatHomes(homes);
  const isNamed = options.clients.length > 0;
  const finished: Finished[] = [];
  for (const id of isNamed ? options.clients : importerIds) {
    const cache = reading.openCache?.(id);
    const found = homes.map((home) => findLogs(importers[id].findFolders(home)));
    const thread = openThread(found, cache, reading);
    const logs = await readClient(id, found, { ...reading, cache, thread });
    cache?.close();
    const servers = listServers(id, homes, { ...options, remembered });
    if (logs.length > 0) finished.push(await finish({ id, logs, servers }, thread));
    else if (isNamed) tell(importSentences.logsMissing(importers[id].name, searched));
    thread?.stop();
  }
  progress?.clearProgress();
  if (finished.length === 0 && !isNamed) tell(importSentences.logsMissing(undefined, searched));
  return finished;
}

function openThread(
  found: readonly FoundLogs[],
  cache: LogCache | undefined,
  { toolOptions, estimators }: LogReading,
): LogThread | undefined {
  const files = found.flatMap((logs) => logs.files);
  return deservesThread(files, cache, toolOptions.countsTokens)
    ? new LogThread(toolOptions, estimators)
    : undefined;
}

type FileReading = LogReading & {
  readonly cache: LogCache | undefined;
  readonly thread: LogThread | undefined;
};

type ServerOptions = LogOptions & { readonly remembered: ImportChoices | undefined };

export function listServers(
  client: ImporterId,
  homes: readonly LogHome[],
  { servers, usesSettings, remembered }: ServerOptions,
): readonly string[] {
  const importer = importers[client];
  const settings = usesSettings ? homes.flatMap((home) => importer.findSettings?.(home) ?? []) : [];
  const recalled = remembered?.listServers(client) ?? [];
  return [...new Set([...servers, ...readServerNames(settings), ...recalled])];
}

async function readClient(
  client: ImporterId,
  found: readonly FoundLogs[],
  { toolOptions, estimators, tell, progress, cache, thread }: FileReading,
): Promise<readonly PackedLog[]> {
  const importer = importers[client];
  const tools = makeLogTools(estimators.open(client), toolOptions);
  const logs: PackedLog[] = [];
  for (const { files, faults } of found) {
    for (const { path, fault } of faults) tell(sentences.fileUnreadable(path, fault));
    const outcomes = await runInLanes(files, thread, async (log, index, laneThread) => {
      progress?.showProgress(importSentences.readingLogs(importer.name, index + 1, files.length));
      const isDigested = cache !== undefined;
      const readWhole =
        laneThread && ((file: LogFile) => laneThread.read(client, file, isDigested));
      return readLog(log, { importer, tools, cache, readWhole });
    });
    for (const [index, outcome] of outcomes.entries()) {
      if ("fault" in outcome)
        tell(sentences.fileUnreadable(files[index]?.file ?? "", outcome.fault));
      else logs.push(outcome);
    }
  }
  return logs;
}

// Reads only the names of members, because settings contain secrets. A missing or malformed file
// has no members.
function readServerNames(settings: readonly ServerSettings[]): readonly string[] {
  const names = settings.flatMap(({ file, form, paths }) => {
    const read = readClientFile(file, form);
    return read && "value" in read ? paths.flatMap((path) => listMembers(read.value, path)) : [];
  });
  return [...new Set(names)].toSorted();
}

function listMembers(value: unknown, [first, ...rest]: readonly string[]): readonly string[] {
  if (!isObject(value)) return [];
  if (first === undefined) return Object.keys(value);
  const next = first === "*" ? Object.values(value) : [value[first]];
  return next.flatMap((member) => listMembers(member, rest));
}

export function openImportChoices(env: Io["env"]): ImportChoices | undefined {
  const state = findStateFolder(env);
  return state === undefined ? undefined : new ImportChoices(locateImports(state));
}

export const logOptionGroup: OptionGroup = {
  heading: "Logs",
  options: {
    client: {
      value: "NAME",
      describe: "read only the logs of this client, as when it is named without an option",
      isRepeatable: true,
      choices: importerIds,
      isCommandLineOnly: true,
    },
    from: {
      value: "DIR",
      describe: "home folder to search instead of your own",
      isRepeatable: true,
      isPath: true,
      isCommandLineOnly: true,
    },
    "server-name": {
      value: "NAME",
      formerName: "server",
      describe: "name of a server, for clients that log it joined with the tool name",
      isRepeatable: true,
      // MCP_METER_SERVER names the server of a session.
      isCommandLineOnly: true,
    },
    "servers-from-settings": {
      describe:
        "also use the server names in the settings of each client; nothing else in the settings is kept",
      isCommandLineOnly: true,
    },
  },
};

export type LogOptions = {
  readonly clients: readonly ImporterId[];
  readonly homes: readonly string[];
  readonly servers: readonly string[];
  readonly usesSettings: boolean;
};

export function parseLogOptions({ options, operands, child = [] }: Arguments): LogOptions {
  rejectArguments(child);
  const named = readList(options, "client").map((name) =>
    requireChoice("client", name, importerIds),
  );
  return {
    clients: [...new Set([...operands.map(parseImporterId), ...named])],
    homes: readList(options, "from"),
    servers: readList(options, "server-name"),
    usesSettings: readFlag(options, "servers-from-settings"),
  };
}

function parseImporterId(name: string): ImporterId {
  const id = importerIds.find((importerId) => importerId === name);
  if (id !== undefined) return id;
  const nearest =
    findNearestName(name, importerIds) ?? importerIds.find((known) => known.startsWith(name));
  throw new UserError(importSentences.importerUnknown(name, nearest, importerIds.join(", ")));
}

// Homes of --from are read without this user's variables. Without --from, throws UserError if the
// environment names no home.
export function chooseHomes(
  { homes }: Pick<LogOptions, "homes">,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly LogHome[] {
  const missing = homes.find((folder) => !isFolder(folder));
  if (missing !== undefined) throw new UserError(importSentences.homeMissing(missing));
  if (homes.length > 0) return homes.map((folder) => ({ folder, env: {}, platform }));
  const folder = findHomeFolder(env);
  if (folder === undefined) throw new UserError(importSentences.logsHomeMissing());
  return [{ folder, env, platform }];
}

export function formatHomes(homes: readonly LogHome[]): string {
  return homes.map(({ folder }) => folder).join('", "');
}

export const importSentences = {
  importerUnknown: (name: string, nearest: string | undefined, known: string) =>
    `Cannot import logs of "${name}"${formatSuggestion(nearest)}; the clients are ${known}`,
  homeMissing: (folder: string) => `Cannot read the logs in "${folder}": no such folder`,
  logsMissing: (client: string | undefined, homes: string) =>
    `Found no logs of ${client ?? "any client"} in the home "${homes}"; name another one with --from DIR`,
  readingLogs: (client: string, file: number, files: number) =>
    `Reading the logs of ${client}: file ${formatCount(file)} of ${formatCount(files)}`,
  interrupted: (isCached: boolean) =>
    `Interrupted: the records are those of the last import${isCached ? "; the next one continues after the logs that were read" : ""}`,
  logsHomeMissing: () => `Cannot find the logs of clients: set HOME or pass --from DIR`,
  importsUnwritable: (count: number, folder: string, reason: string) =>
    `Cannot write the records of ${pluralize(count, "conversation")} to "${folder}": ${describeReason(reason)}`,
  importFileUnwritable: (file: string, reason: string) =>
    `Cannot write imported records to "${file}": ${describeReason(reason)}`,
} as const;
