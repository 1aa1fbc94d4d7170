import {
  type ConfiguredEntry,
  countWordsBeforeServer,
  findEntries,
  findMeterWord,
} from "#clients/configured-entries.ts";
import { clients } from "#clients/index.ts";
import { readVariables } from "#clients/launch-rules.ts";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { adviceRepeatsMax, type ConfiguredLimits } from "#history/reports/advice/session-usage.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import { findHomeFolder } from "#state/storage/folders.ts";
import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import type { RawOptions } from "../command.ts";
import { makeRunCommandLine, resolveConfig } from "../apply-config-files.ts";
import { readWords } from "../parse-command-line.ts";
import { parseBudgetOptions } from "../run/budget-options.ts";
import { runCommand } from "../run/index.ts";
import { parseRunOptions } from "../run/options.ts";
import { rejectUnpricedBudgets } from "../run/preparation.ts";
import { findTargets } from "./find-targets.ts";
import { isMeterItself } from "./plan-file.ts";

/** Lists servers in the user's settings and in files that `wrap` has changed, even servers without limits. */
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

// Returns nothing if the server is mcp-meter itself, as in `mcp-meter mcp`. An entry with a mistake in its options
// cannot start a session, so it has no limits.
function readLimits(
  client: string,
  configured: ConfiguredEntry,
  io: Pick<Io, "env" | "platform">,
): readonly ConfiguredLimits[] {
  const { rawName, form } = configured;
  const isRemote = form === undefined;
  const entry = { client, server: rawName, entryName: rawName, isRemote };
  const resolved = resolveEntry(configured, io);
  if (resolved) {
    const { budgets, repeatsMax } = parseBudgetOptions(resolved.options);
    const refusesRepeats = repeatsMax !== undefined && repeatsMax <= adviceRepeatsMax;
    return [{ ...entry, server: resolved.server, budgets, refusesRepeats }];
  }
  return isMeterItself(configured) ? [] : [{ ...entry, budgets: [], refusesRepeats: false }];
}

/** The server name and options of the entry's next session. Undefined if the entry is not wrapped, or has a mistake. */
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

/** Throws UserError if `run` would reject an option from `words`, a variable or the --config file. */
export async function rejectUnusableOptions(
  words: readonly string[],
  io: Pick<Io, "env" | "platform">,
): Promise<void> {
  const { flags } = readWords(words, runCommand.options, "run");
  const commandLine = makeRunCommandLine(io, flags);
  const { options, implicit, overridden } = resolveConfig(commandLine, io.env);
  const config = { implicit, overridden, faults: [] };
  await rejectUnpricedBudgets(parseRunOptions({ ...commandLine.words, options, config }));
}
