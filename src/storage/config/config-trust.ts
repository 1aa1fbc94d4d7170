import { realpathSync, statSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { configFaults } from "#policy-sentences.ts";

const root = 0;

const writableByOthers = 0o022;

/**
 * Why another user than root may have written a config of the system, as a clause; undefined when none can have. The file,
 * its folder, and those that a link leads to count. A file that cannot be examined is left to its reader. Windows has no such modes.
 */
export function distrust(file: string): string | undefined {
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

function folderFaultOf(folder: string): string | undefined {
  return faultOf(folder, configFaults.foreignFolder, configFaults.writableFolder);
}

function faultOf(path: string, foreign: () => string, writable: () => string): string | undefined {
  const { uid, mode } = statSync(path);
  if (uid !== root) return foreign();
  return (mode & writableByOthers) === 0 ? undefined : writable();
}
