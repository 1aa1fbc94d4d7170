import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { ClientSettings } from "#clients/client-settings.ts";
import type { LogHome } from "#history/imports/importer.ts";

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
