import { accessSync, constants, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FolderEnv, stateFolder } from "./folders.ts";

/** A new path for each call, in the state folder or else in the system's temporary folder. Files made there are unlinked at once. */
export type ScratchPaths = {
  /** For a line that is too long for memory; makes a missing state folder. */
  readonly overflow: () => string;
  readonly spool: () => string;
};

export function scratchPaths(env: FolderEnv): ScratchPaths {
  const state = stateFolder(env);
  return {
    overflow: () => join(make(state) ?? tmpdir(), `.overflow-${crypto.randomUUID()}`),
    spool: () => join(usable(state) ?? tmpdir(), `.spool-${crypto.randomUUID()}`),
  };
}

function make(folder: string | undefined): string | undefined {
  try {
    if (folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    return undefined;
  }
}

function usable(folder: string | undefined): string | undefined {
  try {
    if (folder !== undefined) accessSync(`${folder}/.`, constants.W_OK | constants.X_OK);
    return folder;
  } catch {
    return undefined;
  }
}
