import { resolve } from "node:path";
import { findEntries } from "#clients/configured-entries.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { type SettingsFile, findSettingsFiles } from "#state/storage/clients/find-settings.ts";
import { locateFault, readSettings } from "#state/storage/clients/read-settings.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";
import { readWrappedFiles } from "#state/storage/clients/wrap-journal.ts";
import { findHomeFolder, findStateFolder, isFolder, mayExist } from "#state/storage/folders.ts";
import { commandSentences } from "../sentences.ts";
import type { RequestedChange } from "./plan-file.ts";
import type { Selection } from "./options.ts";
import { wrapSentences } from "./sentences.ts";

type TargetSelection = Pick<Selection, "clients" | "file" | "project"> & {
  readonly action: RequestedChange["action"];
};

// Without --file, `list` and `unwrap` also find the wrapped files in the journal. Other actions skip the journal,
// because its files may belong to projects that a team shares.
export function findTargets(
  { clients: ids, file, project, action }: TargetSelection,
  { env, platform }: Pick<Io, "env" | "platform">,
): readonly SettingsFile[] {
  const folder = findHomeFolder(env);
  const home = folder === undefined ? undefined : { folder, env, platform };
  const projectFolder = project === undefined ? undefined : resolveProject(project);
  const chosen = ids.length === 0 ? clientIds : ids;
  const known = home === undefined ? [] : findSettingsFiles(home, projectFolder, chosen);
  if (file !== undefined) return [identifyTarget(resolve(file), known, ids)];
  if (home === undefined)
    throw new UserError(commandSentences.settingsHomeMissing(), exitCodes.failed);
  const includesJournaled = action === "list" || action === "unwrap";
  const journaled = includesJournaled ? findJournaledTargets(findStateFolder(env), known) : [];
  return [...known, ...journaled.filter(({ client }) => chosen.includes(client))];
}

function resolveProject(project: string): string {
  if (isFolder(project)) return resolve(project);
  throw new UserError(commandSentences.projectMissing(project), exitCodes.failed);
}

function findJournaledTargets(
  state: string | undefined,
  known: readonly SettingsFile[],
): readonly SettingsFile[] {
  if (state === undefined) return [];
  const paths = new Set(known.map(({ file }) => resolveRealPath(file)));
  return [...readWrappedFiles(state)].flatMap(([file, { client }]) =>
    paths.has(resolveRealPath(file)) || !mayExist(file) ? [] : [{ client, file }],
  );
}

function identifyTarget(
  file: string,
  known: readonly SettingsFile[],
  [named]: readonly ClientId[],
): SettingsFile {
  if (!mayExist(file)) throw new UserError(wrapSentences.wrapFileMissing(file), exitCodes.failed);
  if (named !== undefined) return { client: named, file };
  const found = known.find(
    (candidate) => resolveRealPath(candidate.file) === resolveRealPath(file),
  );
  if (found) return found;
  const client = findClientByName(file) ?? findClientByEntries(file);
  if (client === undefined)
    throw new UserError(wrapSentences.wrapFileUnknown(file), exitCodes.failed);
  return { client, file };
}

function findClientByName(file: string): ClientId | undefined {
  const path = file.replaceAll("\\", "/");
  return clientIds.find((id) => {
    return clients[id].projectFiles.some((name) => path.endsWith(`/${name}`));
  });
}

function findClientByEntries(file: string): ClientId | undefined {
  const form = /\.ya?ml$/i.test(file) ? "yaml" : /\.toml$/i.test(file) ? "toml" : "json";
  const read = readSettings(file, form);
  if ("fault" in read) {
    throw new UserError(
      wrapSentences.settingsUnreadable(locateFault(`"${file}"`, read), read.fault),
      exitCodes.failed,
    );
  }
  const counts = clientIds
    .filter((id) => clients[id].language === form)
    .map((id) => ({ id, count: findEntries(clients[id], read.value).length }));
  const highestCount = Math.max(0, ...counts.map(({ count }) => count));
  return highestCount === 0 ? undefined : counts.find(({ count }) => count === highestCount)?.id;
}
