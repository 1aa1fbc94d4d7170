import { attempt } from "#kit/errors.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import type { UserHome } from "#history/imports/importer.ts";
import { mayExist, type FolderEnv, findHomeFolder } from "../folders.ts";
import { readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { type ClientSettings, findMeterWord } from "#clients/configured-entries.ts";
import { isObject, readMember } from "#wire/json.ts";
import { readClientFile } from "./read-settings.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";

export type SettingsFile = {
  readonly client: ClientId;
  readonly file: string;
};

export function findSettingsFiles(
  home: UserHome,
  project: string | undefined,
  ids: readonly ClientId[] = clientIds,
): readonly SettingsFile[] {
  const personal = ids.flatMap((client) =>
    listUserFiles(clients[client], home).map((file) => ({ client, file })),
  );
  const shared = project === undefined ? [] : findProjectSettings(project, ids);
  const known = new Map<string, SettingsFile>();
  // Both lists may name the same file, for example if the project is the home folder.
  for (const settings of [...personal, ...shared]) {
    const path = resolveRealPath(settings.file);
    if (!known.has(path) && mayExist(path)) known.set(path, settings);
  }
  const order = new Map(clientIds.map((id, at) => [id, at]));
  return [...known.values()].toSorted(
    (a, b) => (order.get(a.client) ?? 0) - (order.get(b.client) ?? 0),
  );
}

function findProjectSettings(folder: string, ids: readonly ClientId[]): readonly SettingsFile[] {
  return ids.flatMap((client) =>
    listProjectFiles(clients[client], folder).map((file) => ({ client, file })),
  );
}

// At most this many files of a `blockFolder` are read. Each file configures at least one server, and the definitions of
// 100 servers fill any context window.
export const blockFilesMax = 100;

export function listUserFiles(client: ClientSettings, home: UserHome): readonly string[] {
  return [...client.files(home), ...listBlockFiles(client, home.folder)];
}

export function listProjectFiles(client: ClientSettings, project: string): readonly string[] {
  const named = client.projectFiles.map((name) => join(project, name));
  return [...named, ...listBlockFiles(client, project)];
}

// Files in other languages than the client's are ignored: a JSON file in a folder of YAML files has another layout.
const endings = { json: /\.json$/i, toml: /\.toml$/i, yaml: /\.ya?ml$/i } as const;

function listBlockFiles(
  { blockFolder, language }: ClientSettings,
  parent: string,
): readonly string[] {
  if (blockFolder === undefined) return [];
  const folder = `${parent}/${blockFolder}`;
  return attempt(() => {
    const names = readdirSync(folder).filter((name) => endings[language].test(name));
    return names
      .toSorted()
      .slice(0, blockFilesMax)
      .map((name) => `${folder}/${name}`);
  }, []);
}

// Claude Code's `env` setting overrides environment variables; project settings override the user's.
export function readClaudeEnvironment(env: FolderEnv, project?: string): FolderEnv {
  const home = findHomeFolder(env);
  const userFolder =
    env["CLAUDE_CONFIG_DIR"] ?? (home === undefined ? undefined : join(home, ".claude"));
  const projectFolder = project === undefined ? undefined : join(project, ".claude");
  const names = ["settings.json", "settings.local.json"];
  const files = [
    ...(userFolder === undefined ? [] : [join(userFolder, "settings.json")]),
    ...(projectFolder === undefined ? [] : names.map((name) => join(projectFolder, name))),
  ];
  return { ...env, ...Object.fromEntries(files.flatMap(readVariables)) };
}

// Ignores an unreadable file, because Claude Code reports it.
function readVariables(file: string): readonly (readonly [string, string])[] {
  const read = readClientFile(file, "json");
  const variables = read && "value" in read ? readMember(read.value, "env") : undefined;
  return Object.entries(isObject(variables) ? variables : {}).flatMap(([name, value]) =>
    ["string", "number", "boolean"].includes(typeof value) ? [[name, String(value)] as const] : [],
  );
}

export function findMissingMeter(command: readonly string[]): string | undefined {
  const word = findMeterWord(command);
  const isAbsolute =
    word !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(word) && !word.includes("$");
  return isAbsolute && !existsSync(word) ? word : undefined;
}
