import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { sentences, UserError } from "#errors.ts";
import type { BaseName } from "#lock/base-name.ts";
import { errorCode } from "#os/error-code.ts";
import { isSameFile } from "#os/same-file.ts";

/** The files that a check reads, and those that it writes other than its reports. */
export type CheckInputs = {
  readonly lockFile: string;
  readonly callsFile: string | null;
  readonly base: BaseName | undefined;
};

/** Throws UserError when a report would overwrite an input of the check, or another report. */
export function refuseOverwrites(
  files: readonly string[],
  { lockFile, callsFile, base }: CheckInputs,
): void {
  const inputs = [
    ["lock", lockFile],
    ["calls file", callsFile],
    ["base", base?.isFile === true ? base.name : null],
  ] as const;
  const earlier: string[] = [];
  for (const file of files) {
    for (const [kind, input] of inputs) {
      if (input !== null && isSameFile(file, input))
        throw new UserError(sentences.reportOverInput(file, kind));
    }
    const same = earlier.find((one) => isSameFile(one, file));
    if (same !== undefined) throw new UserError(sentences.reportsShareFile(file, same));
    earlier.push(file);
  }
}

/**
 * Throws UserError when a report cannot be written because of its folder: known before the check, so that no other report
 * of it says that it has passed.
 */
export function refuseMissingFolders(files: readonly string[]): void {
  for (const file of files) {
    try {
      accessSync(dirname(file), constants.W_OK);
    } catch (error) {
      throw new UserError(sentences.reportUnwritable(file, errorCode(error)));
    }
  }
}
