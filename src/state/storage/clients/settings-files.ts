import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import type { LogHome } from "#history/imports/importer.ts";
import { isThere } from "../folders.ts";
import { realPath } from "#kit/os/own-executable.ts";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ClientSettings } from "#clients/client-settings.ts";

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
