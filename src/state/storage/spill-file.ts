import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { SaveAnswer, SavedAnswer } from "#meter/budgets/decision.ts";
import { UserError } from "#kit/errors.ts";
import { readErrorCode, findFolderFault, findOwnershipFault } from "#kit/os/file-errors.ts";
import { storageSentences } from "./sentences.ts";

// Limits per session. An over-budget answer that would exceed one of them is withheld instead of saved.
export const spilledFilesMax = 1_000;

export const spilledBytesMax = 64 * 1024 * 1024;

export type SpillFolders = {
  readonly named: string | undefined; // by --spill-dir
  readonly state: string | undefined;
};

export type ReportSpillFailure = (sentence: string, reason: string) => void;

export function makeSpiller(
  folders: SpillFolders,
  sessionId: string,
  report: ReportSpillFailure,
): SaveAnswer {
  let files = 0;
  let bytes = 0;
  let hasFailed = false;
  return (file) => {
    const size = Buffer.byteLength(file.text);
    try {
      if (files >= spilledFilesMax || bytes + size > spilledBytesMax)
        throw new Error("this session has reached its limit for saved answers");
      const folder = chooseFolder(file, folders);
      rejectForeign(folder);
      files += 1;
      const path = join(folder, `${sessionId}-${files}.${file.extension}`);
      writeWhole(path, file.text);
      bytes += size;
      return path;
    } catch (error) {
      if (!hasFailed)
        report(storageSentences.spillFailed(readErrorCode(error)), readErrorCode(error));
      hasFailed = true;
      return undefined;
    }
  };
}

// All or nothing: a model would mistake a part of an answer for the whole answer.
function writeWhole(path: string, text: string): void {
  const fd = openSync(path, "wx", 0o600);
  try {
    writeFileSync(fd, text);
  } catch (error) {
    unlinkSync(path);
    throw error;
  } finally {
    closeSync(fd);
  }
}

// Creates a missing folder with mode 0700, and returns the absolute path. Throws UserError if we cannot write to the
// folder, or if another user could replace its files.
export function openSpillFolder(rawFolder: string): string {
  try {
    const folder = resolve(rawFolder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
    rejectForeign(folder);
    return folder;
  } catch (error) {
    throw new UserError(storageSentences.spillFolderUnwritable(rawFolder, readErrorCode(error)));
  }
}

export function examineSpillFolder(rawFolder: string): string {
  const folder = resolve(rawFolder);
  const fault =
    findFolderFault(folder) ?? (existsSync(folder) ? findOwnershipFault(folder, true) : undefined);
  if (fault === undefined) return folder;
  throw new UserError(storageSentences.spillFolderUnwritable(rawFolder, fault));
}

function chooseFolder({ folder }: SavedAnswer, { named, state }: SpillFolders): string {
  if (named !== undefined) return named;
  if (folder === "workspace") return makeSpillFolder(resolve("."), ".mcp-meter");
  if (state === undefined) throw new Error("set HOME or XDG_STATE_HOME, or pass --spill-dir DIR");
  return makeSpillFolder(state, "");
}

// Refuses symbolic links: with one, a project could redirect answers to another folder.
function makeSpillFolder(base: string, subfolder: string): string {
  const parent = join(base, subfolder);
  const folder = join(parent, "spills");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const path of subfolder === "" ? [folder] : [parent, folder]) {
    if (!lstatSync(path).isDirectory())
      throw new Error("the folder for saved answers is a symbolic link");
    rejectForeign(path);
  }
  return folder;
}

// The model reads the file later: other users must not be able to replace it.
function rejectForeign(folder: string): void {
  const fault = findOwnershipFault(folder, true);
  if (fault !== undefined) throw new Error(fault);
}
