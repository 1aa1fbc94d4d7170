import { UserError } from "#kit/errors.ts";
import { importers } from "#history/importers/index.ts";
import { type ImporterId, importerIds } from "#history/importers/ids.ts";
import type { UserHome, ServerSettings } from "#history/imports/importer.ts";
import type { Io } from "#kit/io.ts";
import {
  findLogs,
  type FoundLogs,
  listLogFolders,
  type LogFile,
} from "#state/storage/logs/find-logs.ts";
import type { Tell } from "#kit/text/teller.ts";
import { isObject } from "#wire/json.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import {
  isFolder,
  locateImports,
  findStateFolder,
  findHomeFolder,
} from "#state/storage/folders.ts";
import { ImportChoices } from "#state/storage/logs/last-import.ts";
import { commonSentences, joinWords } from "#kit/sentences.ts";
import { importSentences, type LogOptions } from "./options.ts";

export type FoundClient = {
  readonly id: ImporterId;
  readonly files: readonly LogFile[];
  readonly servers: readonly string[];
};

type ClientReading = {
  readonly io: Io;
  readonly tell: Tell;
  readonly earlierChoices: ImportChoices | undefined;
};

// `read` returns undefined if it could not read any file.
export async function readClients<Result>(
  options: LogOptions,
  { io, tell, earlierChoices }: ClientReading,
  read: (client: FoundClient) => Promise<Result | undefined>,
): Promise<readonly Result[]> {
  const homes = chooseHomes(options, io);
  const searched = formatHomes(homes);
  const hasNamedClients = options.clients.length > 0;
  const results: (Result | undefined)[] = [];
  for (const id of hasNamedClients ? options.clients : importerIds) {
    const found = homes.map((home) => findLogs(listLogFolders(importers[id], home)));
    const files = found.flatMap((logs) => logs.files);
    reportFaults(
      found.flatMap(({ faults }) => faults),
      tell,
    );
    const servers = listServers(id, homes, { ...options, earlierChoices });
    if (files.length > 0) results.push(await read({ id, files, servers }));
    else if (hasNamedClients) tell(importSentences.logsMissing(importers[id].name, searched));
  }
  if (results.length === 0 && !hasNamedClients)
    tell(importSentences.logsMissing(undefined, searched));
  return results.filter((result) => result !== undefined);
}

export function reportFaults(faults: FoundLogs["faults"], tell: Tell): void {
  for (const { path, fault } of faults) tell(commonSentences.fileUnreadable(path, fault));
}

type ServerSources = LogOptions & { readonly earlierChoices: ImportChoices | undefined };

export function listServers(
  client: ImporterId,
  homes: readonly UserHome[],
  { servers, usesSettings, earlierChoices }: ServerSources,
): readonly string[] {
  const importer = importers[client];
  const settings = usesSettings ? homes.flatMap((home) => importer.findSettings?.(home) ?? []) : [];
  const earlierServers = earlierChoices?.listServers(client) ?? [];
  return [...new Set([...servers, ...readServerNames(settings), ...earlierServers])];
}

// Keeps only the names of members, because settings contain secrets.
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
  const folder = findStateFolder(env);
  return folder === undefined ? undefined : new ImportChoices(locateImports(folder));
}

// Homes named by --from are searched without this user's variables.
export function chooseHomes(
  { homes }: Pick<LogOptions, "homes">,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly UserHome[] {
  const missing = homes.find((folder) => !isFolder(folder));
  if (missing !== undefined) throw new UserError(importSentences.homeMissing(missing));
  if (homes.length > 0) return homes.map((folder) => ({ folder, env: {}, platform }));
  const folder = findHomeFolder(env);
  if (folder === undefined) throw new UserError(importSentences.logsHomeMissing());
  return [{ folder, env, platform }];
}

export function formatHomes(homes: readonly UserHome[]): string {
  const quoted = homes.map(({ folder }) => `"${folder}"`);
  return `home ${homes.length === 1 ? "folder" : "folders"} ${joinWords(quoted, "and")}`;
}
