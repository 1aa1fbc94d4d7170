import { realpathSync, statSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { configFaults } from "#policy-sentences.ts";

const root = 0;

const writableByOthers = 0o022;

/** Why a system config is left out. */
export type Distrust = {
  /** A clause about the file. */
  readonly fault: string;
  /** The file or folder that has the wrong owner, or that others may write. */
  readonly path: string;
  readonly isForeign: boolean;
};

/** Why another user than root may have written a system config, as a clause; undefined when none can have. */
export function distrust(file: string): string | undefined {
  return examineTrust(file)?.fault;
}

/**
 * The same with the path in question. The file, its folder, and those that a link leads to count. A file that cannot be examined
 * is left to its reader. Windows has no such modes.
 */
export function examineTrust(file: string): Distrust | undefined {
  if (platform() === "win32") return undefined;
  try {
    const target = realpathSync(file);
    return (
      faultOf(target, configFaults.foreignOwner, configFaults.writableFile) ??
      folderFaultOf(dirname(file)) ??
      folderFaultOf(dirname(target))
    );
  } catch {
    return undefined;
  }
}

function folderFaultOf(folder: string): Distrust | undefined {
  return faultOf(folder, configFaults.foreignFolder, configFaults.writableFolder);
}

function faultOf(
  path: string,
  foreign: () => string,
  writable: () => string,
): Distrust | undefined {
  const { uid, mode } = statSync(path);
  if (uid !== root) return { fault: foreign(), path, isForeign: true };
  if ((mode & writableByOthers) === 0) return undefined;
  return { fault: writable(), path, isForeign: false };
}
