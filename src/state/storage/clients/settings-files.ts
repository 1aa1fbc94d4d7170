import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import type { LogHome } from "#history/imports/importer.ts";
import { isThere, type FolderEnv, homeFolder } from "../folders.ts";
import { realPath } from "#kit/os/own-executable.ts";
import { readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type ClientSettings, meterWord } from "#clients/configured-entries.ts";
import { isObject, memberAt } from "#wire/json.ts";
import { readClientFile } from "./client-file.ts";

export type SettingsFile = {
  readonly client: ClientId;
  readonly file: string;
  readonly isProject: boolean;
};

export function settingsFiles(
  home: LogHome,
  project: string | undefined,
  ids: readonly ClientId[] = clientIds,
): readonly SettingsFile[] {
  const own = ids.flatMap((client) =>
    userFiles(clients[client], home).map((file) => ({ client, file, isProject: false })),
  );
  const shared = project === undefined ? [] : projectFiles(project, ids);
  const known = new Map<string, SettingsFile>();
  // Files of the user first: a home may be named as a project.
  for (const one of [...own, ...shared]) {
    const path = realPath(one.file);
    if (!known.has(path) && isThere(path)) known.set(path, one);
  }
  const order = new Map(clientIds.map((id, at) => [id, at]));
  return [...known.values()].toSorted(
    (one, other) => (order.get(one.client) ?? 0) - (order.get(other.client) ?? 0),
  );
}

function projectFiles(folder: string, ids: readonly ClientId[]): readonly SettingsFile[] {
  return ids.flatMap((client) =>
    filesOfProject(clients[client], folder).map((file) => ({ client, file, isProject: true })),
  );
}

// A client with a hundred servers would fill its context.
export const blockFilesMax = 100;

export function userFiles(client: ClientSettings, home: LogHome): readonly string[] {
  return [...client.files(home), ...blockFiles(client, home.folder)];
}

export function filesOfProject(client: ClientSettings, project: string): readonly string[] {
  const named = client.projectFiles.map((name) => join(project, name));
  return [...named, ...blockFiles(client, project)];
}

/** JSON in a folder for YAML has another layout. */
const endings = { json: /\.json$/i, toml: /\.toml$/i, yaml: /\.ya?ml$/i } as const;

function blockFiles({ blockFolder, form }: ClientSettings, parent: string): readonly string[] {
  if (blockFolder === undefined) return [];
  const folder = `${parent}/${blockFolder}`;
  try {
    const names = readdirSync(folder).filter((name) => endings[form].test(name));
    return names
      .toSorted()
      .slice(0, blockFilesMax)
      .map((name) => `${folder}/${name}`);
  } catch {
    // There is none, or it cannot be listed.
    return [];
  }
}

/** As Claude Code hands it to servers: `env` of its settings replaces its own variables, that of a project those of the user. A profile is made without it. */
export function claudeEnvironment(env: FolderEnv, project?: string): FolderEnv {
  const home = homeFolder(env);
  const own = env["CLAUDE_CONFIG_DIR"] ?? (home === undefined ? undefined : join(home, ".claude"));
  const shared = project === undefined ? undefined : join(project, ".claude");
  const names = ["settings.json", "settings.local.json"];
  const files = [
    ...(own === undefined ? [] : [join(own, "settings.json")]),
    ...(shared === undefined ? [] : names.map((name) => join(shared, name))),
  ];
  return { ...env, ...Object.fromEntries(files.flatMap(variablesIn)) };
}

/** None of a file that is not there, or that cannot be read: Claude Code says so itself. */
function variablesIn(file: string): readonly (readonly [string, string])[] {
  const read = readClientFile(file, "json");
  const variables = read && "value" in read ? memberAt(read.value, "env") : undefined;
  return Object.entries(isObject(variables) ? variables : {}).flatMap(([name, value]) =>
    isPlain(value) ? [[name, String(value)] as const] : [],
  );
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The absolute path in a command where no file is; a path with a variable is the client's to resolve. */
export function lostMeter(command: readonly string[]): string | undefined {
  const word = meterWord(command);
  const isWhole = word !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(word) && !word.includes("$");
  return isWhole && !existsSync(word) ? word : undefined;
}
