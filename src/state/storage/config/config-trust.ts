import { realpathSync, statSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";
import { configFaults } from "./sentences.ts";

const root = 0;

const writableByOthers = 0o022;

export type Distrust = {
  readonly fault: string;
  readonly path: string;
  readonly isForeign: boolean;
};

/** Why a user other than root may have written it; undefined when none can have. */
export function distrust(file: string): string | undefined {
  return examineTrust(file)?.fault;
}

/** Checks the file, its folder, and where links lead. A file that cannot be examined is left to its reader. Windows has no such modes. */
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
