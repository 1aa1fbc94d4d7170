import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FolderEnv, stateFolder } from "./folders.ts";

/**
 * A path without a file, for a line that is too long for memory: in the state folder, which is made when it is
 * missing, or in the system's temporary folder when that is impossible.
 */
export function newOverflowPath(env: FolderEnv): string {
  const name = `.overflow-${crypto.randomUUID()}`;
  const state = stateFolder(env);
  try {
    if (state === undefined) return join(tmpdir(), name);
    mkdirSync(state, { recursive: true, mode: 0o700 });
    return join(state, name);
  } catch {
    return join(tmpdir(), name);
  }
}
