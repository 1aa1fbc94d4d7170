import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import type { LogHome } from "#imports/importer.ts";
import { projectFoldersMax } from "#limits/wrapping.ts";
import { realPath } from "#os/own-executable.ts";

/** A file in which a client keeps servers. */
export type SettingsFile = {
  readonly client: ClientId;
  readonly file: string;
  /** True for a file of a project, which others may share. */
  readonly isProject: boolean;
};

/**
 * The files of settings that exist: of the user, and of the projects around a working directory, up to the folder of a
 * repository. A file that several clients read is named once.
 */
export function settingsFiles(home: LogHome, workingFolder: string): readonly SettingsFile[] {
  const projects = projectFolders(workingFolder, home.folder);
  const all = clientIds.flatMap((client) => [
    ...clients[client].files(home).map((file) => ({ client, file, isProject: false })),
    ...projects.flatMap((folder) =>
      clients[client].projectFiles.map((name) => {
        return { client, file: join(folder, name), isProject: true };
      }),
    ),
  ]);
  const known = new Map<string, SettingsFile>();
  // Files of the user first: the working directory may be the home.
  for (const one of [...all.filter(isOwn), ...all.filter((other) => !isOwn(other))]) {
    const path = realPath(one.file);
    if (!known.has(path) && existsSync(path)) known.set(path, one);
  }
  const order = new Map(clientIds.map((id, at) => [id, at]));
  return [...known.values()].toSorted(
    (one, other) => (order.get(one.client) ?? 0) - (order.get(other.client) ?? 0),
  );
}

function isOwn({ isProject }: SettingsFile): boolean {
  return !isProject;
}

/** The working directory and the folders around it, up to that of a repository; not the home and those around it. */
function projectFolders(workingFolder: string, home: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = workingFolder; folders.length < projectFoldersMax; folder = dirname(folder)) {
    if (folder === dirname(folder) || realPath(folder) === realPath(home)) break;
    folders.push(folder);
    if (existsSync(join(folder, ".git"))) break;
  }
  return folders;
}
