import { existsSync } from "node:fs";
import {
  type ClientSettings,
  type ConfiguredServer,
  findServers,
} from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import {
  type Launch,
  resolveLaunch,
  type NoLaunch,
  findLaunchRule,
  type PlaceholderValues,
} from "#clients/launch-rules.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type { SetupServer, UnreadableSettings } from "#lock/setup-report.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import { listProjectFiles, listUserFiles } from "#state/storage/clients/find-settings.ts";
import { findHomeFolder } from "#state/storage/folders.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { type JsonObject, readMember } from "#wire/json.ts";
import { commandSentences } from "../sentences.ts";

export const configuredNameCharactersMax = 200;

export type FoundServer = Pick<SetupServer, "server" | "file" | "scope"> & {
  readonly client: ClientId;
  readonly launch: Launch | NoLaunch;
  readonly allowsTool: (tool: string) => boolean;
  readonly isAlwaysLoaded: boolean;
};

export type StartableServer = FoundServer & { readonly launch: Launch };

export function isStartable(server: FoundServer): server is StartableServer {
  return !("kind" in server.launch);
}

export type FoundSettings = {
  readonly servers: readonly FoundServer[];
  readonly unreadable: readonly UnreadableSettings[];
};

type HomeIo = Pick<Io, "env" | "platform">;

export type SettingsChoice = {
  readonly clients: readonly ClientId[];
  readonly project: string | undefined;
};

// As in clients, a server of the project replaces the user's server of the same name. Throws UserError
// if the home folder is unknown.
export function findConfiguredServers(
  choice: SettingsChoice,
  { env, platform }: HomeIo,
): FoundSettings {
  const folder = findHomeFolder(env);
  if (folder === undefined) throw new UserError(commandSentences.settingsHomeMissing());
  const values = { env, home: folder, project: choice.project };
  const ids = choice.clients.length === 0 ? clientIds : choice.clients;
  const settings = ids.map((id) => {
    const files = listUserFiles(clients[id], { folder, env, platform });
    return readServers(id, listSources(clients[id], files, choice.project), values);
  });
  return {
    servers: settings.flatMap(({ servers }) => servers),
    unreadable: settings.flatMap(({ unreadable }) => unreadable),
  };
}

/** Counts project servers in the user's settings, where some clients keep the servers of all projects. */
export function countProjectServers(
  { clients: chosen }: SettingsChoice,
  { env, platform }: HomeIo,
): number {
  const folder = findHomeFolder(env) ?? "/";
  const counts = (chosen.length === 0 ? clientIds : chosen).flatMap((id) => {
    const { serverPaths, entryForms, language } = clients[id];
    const paths = serverPaths.filter((path) => path.includes("*"));
    const files = paths.length === 0 ? [] : listUserFiles(clients[id], { folder, env, platform });
    return files.map((file) => {
      const read = readClientFile(file, language);
      if (read === undefined || "fault" in read) return 0;
      return findServers({ serverPaths: paths, entryForms }, read.value).length;
    });
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** For a search that found no server: throws UserError if the user named clients. */
export function rejectClientsWithoutServers(
  { clients: ids, project }: SettingsChoice,
  io: HomeIo,
): void {
  if (ids.length === 0) return;
  const { servers } = findConfiguredServers({ clients: [], project }, io);
  const known = new Set(servers.map(({ client }) => client));
  const names = ids.map((id) => clients[id].name).join(", ");
  const sentence = commandSentences.clientsWithoutServers(names, [...known].join(", "));
  throw new UserError(sentence, exitCodes.failed);
}

type Source = Pick<SetupServer, "file" | "scope"> & Pick<ClientSettings, "serverPaths">;

function listSources(
  client: ClientSettings,
  files: readonly string[],
  project: string | undefined,
): readonly (readonly Source[])[] {
  const { serverPaths } = client;
  const generalPaths = serverPaths.filter((path) => !path.includes("*"));
  const userSources = files.map(
    (file) => ({ file, scope: "user", serverPaths: generalPaths }) as const,
  );
  if (project === undefined) return [userSources];
  const projectPaths = serverPaths
    .filter((path) => path.includes("*"))
    .map((path) => path.map((name) => (name === "*" ? project : name)));
  const localSources = files.map(
    (file) => ({ file, scope: "project", serverPaths: projectPaths }) as const,
  );
  const sharedSources = listProjectFiles(client, project)
    // If the project is the home folder, some of its files are the user's settings.
    .filter((file) => !files.includes(file))
    .map((file) => ({ file, scope: "project", serverPaths: generalPaths }) as const);
  // A server replaces servers of the same name in later lists.
  return [projectPaths.length > 0 ? localSources : [], sharedSources, userSources];
}

function readServers(
  client: ClientId,
  levels: readonly (readonly Source[])[],
  values: PlaceholderValues,
): FoundSettings {
  const { language, entryForms } = clients[client];
  const servers: FoundServer[] = [];
  const unreadable = new Map<string, UnreadableSettings>();
  const takenNames = new Set<string>();
  for (const level of levels) {
    const names: string[] = [];
    for (const { file, scope, serverPaths } of level) {
      const read = readClientFile(file, language);
      if (read === undefined) continue;
      if ("fault" in read) {
        unreadable.set(file, { client, file, fault: read.fault, line: read.line ?? null });
        continue;
      }
      for (const found of findServers({ serverPaths, entryForms }, read.value)) {
        names.push(found.rawName);
        if (takenNames.has(found.rawName)) continue;
        servers.push({ client, file, scope, ...describeServer(found, client, values) });
      }
    }
    for (const name of names) takenNames.add(name);
  }
  return { servers, unreadable: [...unreadable.values()] };
}

function describeServer(
  found: ConfiguredServer,
  client: ClientId,
  values: PlaceholderValues,
): Pick<FoundServer, "server" | "launch" | "allowsTool" | "isAlwaysLoaded"> {
  const name = maskSecrets(found.rawName.slice(0, configuredNameCharactersMax)).toWellFormed();
  const launch = resolveLaunch(found, findLaunchRule(client), values);
  const isAlwaysLoaded = found.entry["alwaysLoad"] === true;
  return { server: name, launch, allowsTool: makeToolFilter(found.entry), isAlwaysLoaded };
}

export function hasProjectSettings(folder: string, { env, platform }: HomeIo): boolean {
  const home = { folder: findHomeFolder(env) ?? "/", env, platform };
  return clientIds.some((id) => {
    const userSettings = listUserFiles(clients[id], home);
    const files = listProjectFiles(clients[id], folder);
    return files.some((file) => !userSettings.includes(file) && existsSync(file));
  });
}

const allowMembers = ["enabled_tools", "includeTools", "tools"];
const denyMembers = ["disabled_tools", "excludeTools", "disabledTools"];

function makeToolFilter(entry: JsonObject): (name: string) => boolean {
  const allowed = readNames(entry, allowMembers);
  const denied = readNames(entry, denyMembers) ?? new Set();
  const allowsAll = allowed === undefined || allowed.has("*");
  return (name) => (allowsAll || allowed.has(name)) && !denied.has(name);
}

function readNames(
  entry: JsonObject,
  members: readonly string[],
): ReadonlySet<unknown> | undefined {
  const list = members.map((name) => readMember(entry, name)).find(Array.isArray);
  return list && new Set<unknown>(list);
}
