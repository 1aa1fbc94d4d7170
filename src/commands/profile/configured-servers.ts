import { existsSync } from "node:fs";
import type { ClientSettings } from "#clients/client-settings.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { keptTools } from "#clients/kept-tools.ts";
import { type Launch, launchOf, type NoLaunch } from "#clients/launch.ts";
import { launchRule } from "#clients/launch-rules.ts";
import type { PlaceholderValues } from "#clients/placeholders.ts";
import { type ConfiguredServer, serversIn } from "#clients/servers-in.ts";
import { sentences, UserError } from "#errors.ts";
import type { Io } from "#io.ts";
import { configuredNameCharactersMax } from "#limits/examination.ts";
import type { SetupServer, UnreadableSettings } from "#lock/setup/setup-report.ts";
import { readClientFile } from "#storage/clients/client-file.ts";
import { filesOfProject, userFiles } from "#storage/clients/client-files.ts";
import { homeFolder } from "#storage/folders.ts";
import { maskSecrets } from "#text/mask-secrets.ts";

/** A server in the settings of a client, and the process that the client starts for it. */
export type FoundServer = Pick<SetupServer, "server" | "file" | "scope"> & {
  readonly client: ClientId;
  readonly launch: Launch | NoLaunch;
  /** True for the name of a tool that the settings keep. */
  readonly keeps: (tool: string) => boolean;
};

/** A server that its client starts as a process. */
export type StartableServer = FoundServer & { readonly launch: Launch };

/** True for a server that its client starts as a process which can be started without the client. */
export function isStartable(server: FoundServer): server is StartableServer {
  return !("kind" in server.launch);
}

/** The servers of all settings that were read, and the settings that cannot be read. */
export type FoundSettings = {
  readonly servers: readonly FoundServer[];
  readonly unreadable: readonly UnreadableSettings[];
};

type World = Pick<Io, "env" | "platform">;

/** The settings to read. */
export type SettingsChoice = {
  /** Undefined for every known client. */
  readonly client: ClientId | undefined;
  /** Absolute path of a project; undefined for the user's own settings alone. */
  readonly project: string | undefined;
};

/**
 * The servers of the user's clients, read once: a file that changes later changes nothing. Those of a project replace
 * others of the same name, as the clients do. Throws UserError when the environment names no home.
 */
export function findConfiguredServers(
  choice: SettingsChoice,
  { env, platform }: World,
): FoundSettings {
  const folder = homeFolder(env);
  if (folder === undefined) throw new UserError(sentences.settingsHomeMissing());
  const values = { env, home: folder, project: choice.project };
  const ids = choice.client === undefined ? clientIds : [choice.client];
  const found = ids.map((id) => {
    const files = userFiles(clients[id], { folder, env, platform });
    return serversOf(id, sourcesOf(clients[id], files, choice.project), values);
  });
  return {
    servers: found.flatMap(({ servers }) => servers),
    unreadable: found.flatMap(({ unreadable }) => unreadable),
  };
}

/** Settings with their scope, those that win first. */
type Source = Pick<SetupServer, "file" | "scope"> & Pick<ClientSettings, "paths">;

function sourcesOf(
  client: ClientSettings,
  files: readonly string[],
  project: string | undefined,
): readonly (readonly Source[])[] {
  const { paths } = client;
  const own = paths.filter((path) => !path.includes("*"));
  const user = files.map((file) => ({ file, scope: "user", paths: own }) as const);
  if (project === undefined) return [user];
  const named = paths
    .filter((path) => path.includes("*"))
    .map((path) => path.map((name) => (name === "*" ? project : name)));
  const local = files.map((file) => ({ file, scope: "project", paths: named }) as const);
  const shared = filesOfProject(client, project)
    // A home that is named as a project has the user's own settings.
    .filter((file) => !files.includes(file))
    .map((file) => ({ file, scope: "project", paths: own }) as const);
  return [named.length > 0 ? local : [], shared, user];
}

function serversOf(
  client: ClientId,
  levels: readonly (readonly Source[])[],
  values: PlaceholderValues,
): FoundSettings {
  const { form, entries } = clients[client];
  const servers: FoundServer[] = [];
  const unreadable = new Map<string, UnreadableSettings>();
  const taken = new Set<string>();
  for (const level of levels) {
    const names: string[] = [];
    for (const { file, scope, paths } of level) {
      const read = readClientFile(file, form);
      if (read === undefined) continue;
      if ("fault" in read) {
        unreadable.set(file, { client, file, fault: read.fault, line: read.line ?? null });
        continue;
      }
      for (const found of serversIn({ paths, entries }, read.value)) {
        names.push(found.rawName);
        if (taken.has(found.rawName)) continue;
        servers.push({ client, file, scope, ...describe(found, client, values) });
      }
    }
    for (const name of names) taken.add(name);
  }
  return { servers, unreadable: [...unreadable.values()] };
}

function describe(
  found: ConfiguredServer,
  client: ClientId,
  values: PlaceholderValues,
): Pick<FoundServer, "server" | "launch" | "keeps"> {
  const name = maskSecrets(found.rawName.slice(0, configuredNameCharactersMax)).toWellFormed();
  const launch = launchOf(found, launchRule(client), values);
  return { server: name, launch, keeps: keptTools(found.entry) };
}

/** True when a folder has settings of a project that a known client reads, besides those of the user. */
export function hasProjectSettings(folder: string, { env, platform }: World): boolean {
  const home = { folder: homeFolder(env) ?? "/", env, platform };
  return clientIds.some((id) => {
    const own = userFiles(clients[id], home);
    const files = filesOfProject(clients[id], folder);
    return files.some((file) => !own.includes(file) && existsSync(file));
  });
}
