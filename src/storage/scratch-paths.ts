import { accessSync, constants, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FolderEnv, stateFolder } from "./folders.ts";

/**
 * Paths without a file, a new one for each call: in the state folder, or in the system's temporary folder when that is
 * impossible. A file that is made there is unlinked at once.
 */
export type ScratchPaths = {
  /** For a line that is too long for memory: the state folder is made when it is missing. */
  readonly overflow: () => string;
  /** For a burst: few sessions need the file, so no folder is made for it. */
  readonly spool: () => string;
};

/** The paths below the state folder of this environment. */
export function scratchPaths(env: FolderEnv): ScratchPaths {
  const state = stateFolder(env);
  return {
    overflow: () => join(make(state) ?? tmpdir(), `.overflow-${crypto.randomUUID()}`),
    spool: () => join(usable(state) ?? tmpdir(), `.spool-${crypto.randomUUID()}`),
  };
}

/** The folder, made when it is missing; undefined when it cannot be. */
function make(folder: string | undefined): string | undefined {
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    return undefined;
  }
}

/** The folder, if files can be made in it. */
function usable(folder: string | undefined): string | undefined {
  try {
    if (folder !== undefined) accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
    return folder;
  } catch {
    return undefined;
  }
}
