import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import type { LogHome } from "#history/imports/importer.ts";
import { filesOfProject, userFiles } from "./client-files.ts";
import { isThere } from "../is-there.ts";
import { realPath } from "#kit/os/own-executable.ts";

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
