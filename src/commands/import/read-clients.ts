import { sentences, UserError, describeReason } from "#kit/errors.ts";
import { importers } from "#history/importers/index.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import type { LogHome, ServerSettings } from "#history/imports/importer.ts";
import { groupFiles } from "#history/imports/file-groups.ts";
import { type MergedLogs, mergeLogs } from "#history/imports/merge-logs.ts";
import type { Io } from "#kit/io.ts";
import { findLogs, type FoundLogs } from "#state/storage/logs/find-logs.ts";
import { type LogCache, type PackedLog, unpackLog } from "#state/storage/logs/log-cache.ts";
import { type LogOutcome, type LogContext, readLog } from "#state/storage/logs/read-log.ts";
import type { Teller } from "#kit/text/teller.ts";
import { isObject } from "#wire/json.ts";
import { readClientFile } from "#state/storage/clients/client-file.ts";
import { deservesThread, LogThread, threadLanes } from "./log-thread.ts";
import { type ClientEstimators, type LogToolOptions, makeLogTools } from "./log-tools.ts";
import { locateImports, findStateFolder, findHomeFolder } from "#state/storage/folders.ts";
import { RememberedServers } from "#state/storage/logs/known-import.ts";
import type { Arguments, OptionGroup } from "../command.ts";
import { rejectArguments, readFlag, readList } from "../values.ts";
import { pluralize, formatCount } from "#kit/text/numbers.ts";

export type ReadClient = {
  readonly id: ImporterId;
  readonly logs: readonly PackedLog[];
  readonly servers: readonly string[];
};

export function mergeClient({ logs, servers }: ReadClient): MergedLogs {
  return mergeLogs(logs.map(unpackLog), servers);
}

// Merges files that share nothing one after another: all at once would take several times as much memory.
export function* mergeGroups({ logs, servers }: ReadClient): Generator<MergedLogs> {
  for (const group of groupFiles(logs)) yield mergeLogs(group.map(unpackLog), servers);
}

export type LogReading = {
  readonly io: Io;
  readonly toolOptions: LogToolOptions;
  readonly estimators: ClientEstimators;
  readonly tell: (sentence: string) => void;
  readonly openCache?: ((client: ImporterId) => LogCache) | undefined;
  readonly remembered?: RememberedServers | undefined;
  readonly progress?: Pick<Teller, "showProgress" | "clearProgress">;
};

export async function readClients(
  options: LogOptions,
  reading: LogReading,
): Promise<readonly ReadClient[]> {
  const { clients } = options;
  const { io, tell, progress } = reading;
  const homes = chooseHomes(options, io);
  const searched = formatHomes(homes);
  const isNamed = clients.length > 0;
  const read: ReadClient[] = [];
  for (const id of isNamed ? clients : importerIds) {
    const cache = reading.openCache?.(id);
    const logs = await readClient(id, homes, { ...reading, cache });
    cache?.prune();
    const { remembered } = reading;
    const servers = listServers(id, homes, { ...options, remembered });
    if (logs.length > 0) read.push({ id, logs, servers });
    else if (isNamed) tell(importSentences.logsMissing(importers[id].name, searched));
  }
  progress?.clearProgress();
  if (read.length === 0 && !isNamed) tell(importSentences.logsMissing(undefined, searched));
  return read;
}

type FileReading = LogReading & { readonly cache: LogCache | undefined };

type ServerOptions = LogOptions & { readonly remembered: RememberedServers | undefined };

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
  homes: readonly LogHome[],
  fileReading: FileReading,
): Promise<readonly PackedLog[]> {
  const found = homes.map((home) => findLogs(importers[client].findFolders(home)));
  const logs: PackedLog[] = [];
  for (const foundLogs of found) logs.push(...(await readFound(client, foundLogs, fileReading)));
  return logs;
}

async function readFound(
  client: ImporterId,
  { files, faults }: FoundLogs,
  reading: FileReading,
): Promise<readonly PackedLog[]> {
  const { tell, cache } = reading;
  for (const { path, fault } of faults) tell(sentences.fileUnreadable(path, fault));
  const thread = deservesThread(files, cache)
    ? new LogThread(reading.toolOptions, reading.estimators)
    : undefined;
  const outcomes = await readFiles(client, files, reading, thread);
  thread?.stop();
  return outcomes.flatMap((outcome, index) => {
    if (!("fault" in outcome)) return [outcome];
    tell(sentences.fileUnreadable(files[index]?.file ?? "", outcome.fault));
    return [];
  });
}

// Each lane takes the next file: one reads here, the others wait for the thread.
async function readFiles(
  client: ImporterId,
  files: FoundLogs["files"],
  { toolOptions, estimators, progress, cache }: FileReading,
  thread: LogThread | undefined,
): Promise<readonly LogOutcome[]> {
  const importer = importers[client];
  const tools = makeLogTools(estimators.open(client), toolOptions);
  const outcomes: LogOutcome[] = [];
  const remaining = files.entries();
  const runLane = async (readWhole?: LogContext["readWhole"]): Promise<void> => {
    for (const [index, log] of remaining) {
      progress?.showProgress(importSentences.readingLogs(importer.name, index + 1, files.length));
      outcomes[index] = await readLog(log, { importer, tools, cache, readWhole });
      if (thread && !readWhole) await Bun.sleep(0);
    }
  };
  const askThread: LogContext["readWhole"] =
    thread && ((log) => thread.read(client, log, cache !== undefined));
  const lanes = askThread ? Array.from({ length: threadLanes }, () => runLane(askThread)) : [];
  await Promise.all([...lanes, runLane()]);
  return outcomes;
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

export function openRememberedServers(env: Io["env"]): RememberedServers | undefined {
  const state = findStateFolder(env);
  return state === undefined ? undefined : new RememberedServers(locateImports(state));
}

export const logOptionGroup: OptionGroup = {
  heading: "Logs",
  options: {
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
  return {
    clients: [...new Set(operands.map(parseImporterId))],
    homes: readList(options, "from"),
    servers: readList(options, "server-name"),
    usesSettings: readFlag(options, "servers-from-settings"),
  };
}

function parseImporterId(name: string): ImporterId {
  const id = importerIds.find((importerId) => importerId === name);
  if (id !== undefined) return id;
  throw new UserError(importSentences.importerUnknown(name, importerIds.join(", ")));
}

// Homes of --from are read without this user's variables. Without --from, throws UserError if the
// environment names no home.
export function chooseHomes(
  { homes }: Pick<LogOptions, "homes">,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly LogHome[] {
  if (homes.length > 0) return homes.map((folder) => ({ folder, env: {}, platform }));
  const folder = findHomeFolder(env);
  if (folder === undefined) throw new UserError(importSentences.logsHomeMissing());
  return [{ folder, env, platform }];
}

export function formatHomes(homes: readonly LogHome[]): string {
  return homes.map(({ folder }) => folder).join('", "');
}

export const importSentences = {
  importerUnknown: (name: string, known: string) =>
    `Cannot import logs of "${name}": use one of ${known}`,
  logsMissing: (client: string | undefined, homes: string) =>
    `Found no logs of ${client ?? "any client"} in the home "${homes}"; name another one with --from DIR`,
  readingLogs: (client: string, file: number, files: number) =>
    `Reading the logs of ${client}: file ${formatCount(file)} of ${formatCount(files)}`,
  logsHomeMissing: () => `Cannot find the logs of clients: set HOME or pass --from DIR`,
  importsUnwritable: (count: number, folder: string, reason: string) =>
    `Cannot write the records of ${pluralize(count, "conversation")} to "${folder}": ${describeReason(reason)}`,
  importFileUnwritable: (file: string, reason: string) =>
    `Cannot write imported records to "${file}": ${describeReason(reason)}`,
} as const;
