import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { findStateFolder, rejectOccupiedFolder } from "#state/storage/folders.ts";
import { commandSentences } from "./sentences.ts";

// Throws UserError without a home, or if the state folder is a file.
export function requireStateFolder(
  env: Io["env"],
  homeMissing: string = commandSentences.stateHomeMissing(),
): string {
  const folder = findStateFolder(env);
  if (folder === undefined) throw new UserError(homeMissing);
  rejectOccupiedFolder(folder);
  return folder;
}
