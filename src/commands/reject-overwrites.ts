import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { attempt, UserError } from "#kit/errors.ts";
import type { BaseName } from "#lock/lock-report.ts";
import type { Io } from "#kit/io.ts";
import { findSettingsFiles } from "#state/storage/clients/find-settings.ts";
import { findRecordSources } from "#state/storage/find-record-files.ts";
import {
  findHomeFolder,
  findStateFolder,
  locateImports,
  locateSessions,
} from "#state/storage/folders.ts";
import type { Arguments, Command } from "./command.ts";
import { readList, readText } from "./option-values.ts";
import { commandSentences } from "./sentences.ts";

export type CheckInputs = {
  readonly lockFile: string;
  readonly callsFile: string | null;
  readonly base: BaseName | undefined;
};

export function rejectOverwrites(
  reportFiles: readonly string[],
  { lockFile, callsFile, base }: CheckInputs,
): void {
  const inputs = [
    ["lock", lockFile],
    ["calls file", callsFile],
    ["base", base?.isFile === true ? base.name : null],
  ] as const;
  const earlierFiles: string[] = [];
  for (const file of reportFiles) {
    for (const [kind, input] of inputs) {
      if (input !== null && isSameFile(file, input))
        throw new UserError(commandSentences.reportOverInput(file, kind));
    }
    const sameFile = earlierFiles.find((earlierFile) => isSameFile(earlierFile, file));
    if (sameFile !== undefined) {
      throw new UserError(commandSentences.reportsShareFile(file, sameFile));
    }
    earlierFiles.push(file);
  }
}

export async function rejectOverwrittenInputs(
  command: Command,
  args: Arguments,
  io: Pick<Io, "env" | "platform">,
): Promise<void> {
  const outputName = args.options["output"] === undefined ? "summary-file" : "output";
  const output = readText(args.options, outputName);
  if (output === undefined || output === "-") return;
  const reject = (input: string, file: string): void => {
    if (isSameFile(file, output))
      throw new UserError(commandSentences.reportOverInput(output, input));
  };
  for (const [name, { isPath }] of Object.entries(command.options)) {
    const values = isPath === true && name !== outputName ? readList(args.options, name) : [];
    for (const file of values) reject(`--${name} file`, file);
  }
  if (readIdentity(output) === undefined) return;
  for (const file of await findInputFiles(command, args, io)) reject("input", file);
  const home = findHomeFolder(io.env);
  const settings = home === undefined ? [] : findSettingsFiles({ ...io, folder: home }, undefined);
  for (const { file } of settings) reject("settings file of a client", file);
}

// Includes all records of the machine. A file that cannot be found here is reported by the command.
async function findInputFiles(
  command: Command,
  { operands, child = [] }: Arguments,
  { env }: Pick<Io, "env">,
): Promise<readonly string[]> {
  const state = findStateFolder(env);
  const folders = state === undefined ? [] : [locateSessions(state), locateImports(state)];
  const named = command.operands === "files" ? [...operands, ...child] : [];
  const found = await Promise.all(
    [...named, ...folders].map((path) => findRecordSources([path]).catch(() => undefined)),
  );
  const sources = found.flatMap((each) => each?.sources ?? []);
  return sources.map(({ file }) => (file === "-" ? "/dev/stdin" : file));
}

// Devices and pipes are compared only by path.
export function isSameFile(a: string, b: string): boolean {
  if (resolvePath(a) === resolvePath(b)) return true;
  const [first, second] = [readIdentity(a), readIdentity(b)];
  return first !== undefined && first === second;
}

function resolvePath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    const folder = dirname(file);
    return folder === file ? file : join(resolvePath(folder), basename(file));
  }
}

function readIdentity(file: string): string | undefined {
  return attempt(() => {
    const stats = statSync(file, { bigint: true });
    return stats.isFile() ? `${stats.dev}:${stats.ino}` : undefined;
  });
}
