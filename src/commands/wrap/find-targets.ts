import { resolve } from "node:path";
import { clients } from "#clients/index.ts";
import { readVariables } from "#clients/launch-rules.ts";
import { type ClientId, clientIds } from "#clients/ids.ts";
import {
  findEntries,
  type ConfiguredEntry,
  findMeterWord,
  countWordsBeforeServer,
} from "#clients/configured-entries.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { type ConfiguredLimits, adviceRepeatsMax } from "#history/reports/advice/session-usage.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { isFolder, mayExist, findHomeFolder, findStateFolder } from "#state/storage/folders.ts";
import { type SettingsFile, findSettingsFiles } from "#state/storage/clients/find-settings.ts";
import { planOptions, type WantedOptions } from "./change-entries.ts";
import { locateFault, readClientFile, readSettings } from "#state/storage/clients/read-settings.ts";
import { readJournaledFiles } from "#state/storage/clients/wrap-journal.ts";
import type { RawOptions } from "../command.ts";
import type { Selection } from "./options.ts";
import { runCommand } from "../run/index.ts";
import { makeRunCommandLine, resolveConfig } from "../configured-arguments.ts";
import { parseBudgetOptions } from "../run/budget-options.ts";
import { parseRunOptions } from "../run/options.ts";
import { rejectUnpricedBudgets } from "../run/preparation.ts";
import { readWords } from "../parse-words.ts";
import { commandSentences } from "../sentences.ts";
import { wrapSentences } from "./sentences.ts";
import type { ServerState } from "#screens/renderers/documents/settings/wrap.ts";
import { resolveRealPath } from "#kit/os/open-file.ts";

type TargetSelection = Pick<Selection, "clients" | "file" | "project"> & {
  readonly action: RequestedChange["action"];
};

/** Files changed earlier in other projects are only listed or unwrapped: other people may share them. */
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
  const isAll = action === "list" || action === "unwrap";
  const journaled = isAll ? findJournaledTargets(findStateFolder(env), known) : [];
  return [...known, ...journaled.filter(({ client }) => chosen.includes(client))];
}

function resolveProject(project: string): string {
  if (isFolder(project)) return resolve(project);
  throw new UserError(commandSentences.projectMissing(project), exitCodes.failed);
}

/** Files changed earlier that `known` lacks: those of other projects, or named by --file. */
function findJournaledTargets(
  state: string | undefined,
  known: readonly SettingsFile[],
): readonly SettingsFile[] {
  if (state === undefined) return [];
  const paths = new Set(known.map(({ file }) => resolveRealPath(file)));
  return [...readJournaledFiles(state)].flatMap(([file, { client }]) =>
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

/** The servers in users' settings, with the limits of those behind mcp-meter. */
export function findConfiguredLimits(
  io: Pick<Io, "env" | "platform">,
): readonly ConfiguredLimits[] {
  if (findHomeFolder(io.env) === undefined) return [];
  const choice = { clients: [], file: undefined, project: undefined, action: "list" } as const;
  return findTargets(choice, io).flatMap(({ client, file }) => {
    const read = readClientFile(file, clients[client].language);
    const entries = read && "value" in read ? findEntries(clients[client], read.value) : [];
    return entries.flatMap((entry) => readLimits(nameClient(client), entry, io));
  });
}

// Settings with a mistake limit nothing.
function readLimits(
  client: string,
  configured: ConfiguredEntry,
  io: Pick<Io, "env" | "platform">,
): readonly ConfiguredLimits[] {
  const { rawName, words, form } = configured;
  const isRemote = form === undefined;
  const entry = { client, server: rawName, entryName: rawName, isRemote };
  const resolved = resolveEntry(configured, io);
  if (resolved) {
    const { budgets, repeatsMax } = parseBudgetOptions(resolved.options);
    const refusesRepeats = repeatsMax !== undefined && repeatsMax <= adviceRepeatsMax;
    return [{ ...entry, server: resolved.server, budgets, refusesRepeats }];
  }
  // mcp-meter is the server itself.
  const isOwn =
    countWordsBeforeServer(words) === undefined && findMeterWord(words.map(String)) !== undefined;
  return isOwn ? [] : [{ ...entry, budgets: [], refusesRepeats: false }];
}

/** The name and options that the next session of a wrapped entry will have; undefined if the options have a mistake. */
export function resolveEntry(
  { rawName, words, entry }: ConfiguredEntry,
  { env, platform }: Pick<Io, "env" | "platform">,
): { readonly server: string; readonly options: RawOptions } | undefined {
  const texts = words.map(String);
  const end = countWordsBeforeServer(words);
  if (end === undefined) return undefined;
  const start = texts.indexOf(findMeterWord(texts) ?? "") + 1;
  try {
    const { flags } = readWords(texts.slice(start, end - 1), runCommand.options, "run");
    const io = { platform, env: { ...env, ...Object.fromEntries(readVariables(entry)) } };
    const commandLine = makeRunCommandLine(io, flags, texts.slice(end));
    const { options, server = rawName } = resolveConfig(commandLine, io.env);
    parseBudgetOptions(options);
    return { server, options };
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Throws UserError: a client could not start a server behind such a budget. */
export async function rejectUnusableBudgets(
  words: readonly string[],
  io: Pick<Io, "env" | "platform">,
): Promise<void> {
  const { flags } = readWords(words, runCommand.options, "run");
  const commandLine = makeRunCommandLine(io, flags);
  const { options, implicit } = resolveConfig(commandLine, io.env);
  const config = { implicit, faults: [] };
  await rejectUnpricedBudgets(parseRunOptions({ ...commandLine.words, options, config }));
}

export type RequestedChange = Omit<WantedOptions, "action"> & {
  readonly action: NonNullable<WantedOptions["action"]>;
  readonly isNamed: boolean;
  readonly includesRemote?: boolean;
};

export function judgeEntry(entry: ConfiguredEntry, change: RequestedChange): ServerState {
  const { words, form } = entry;
  const { action } = change;
  if (form === undefined) return judgeRemoteEntry(entry, change);
  const isBehind = countWordsBeforeServer(words) !== undefined;
  const texts = words.map((word) => (typeof word === "string" ? word : ""));
  // mcp-meter is the server itself, as in the entry of `mcp-meter mcp`.
  if (!isBehind && findMeterWord(texts) !== undefined) return "own";
  if (action === "unwrap") return isBehind ? "changed" : "direct";
  if (!isBehind) return judgeDirectEntry(entry, change);
  return typeof planOptions(entry, change) === "object" ? "changed" : "behind";
}

function judgeRemoteEntry(entry: ConfiguredEntry, change: RequestedChange): ServerState {
  const { action, includesRemote = false } = change;
  return action === "wrap" && includesRemote ? judgeDirectEntry(entry, change) : "remote";
}

function judgeDirectEntry(
  { isDisabled }: ConfiguredEntry,
  { action, isNamed }: RequestedChange,
): ServerState {
  if (isDisabled && !isNamed) return "off";
  return action === "wrap" ? "changed" : "direct";
}
