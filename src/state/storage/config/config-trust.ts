import { attempt } from "#kit/errors.ts";
import { configFaults } from "../sentences.ts";
import { realpathSync, statSync } from "node:fs";
import { platform } from "node:os";
import { dirname } from "node:path";

const rootUid = 0;

const writableByOthers = 0o022;

export type Distrust = {
  readonly fault: string;
  readonly path: string;
  readonly isForeign: boolean; // does not belong to root
};

// Undefined if only root can write to the file and its folder. If the file is a link, the target's folder counts too.
// Also undefined for a missing file, and on Windows, which has no Unix file modes.
export function examineTrust(file: string): Distrust | undefined {
  if (platform() === "win32") return undefined;
  return attempt(() => {
    const target = realpathSync(file);
    return (
      findFault(target, configFaults.foreignOwner, configFaults.writableFile) ??
      findFolderFault(dirname(file)) ??
      findFolderFault(dirname(target))
    );
  });
}

function findFolderFault(folder: string): Distrust | undefined {
  return findFault(folder, configFaults.foreignFolder, configFaults.writableFolder);
}

function findFault(
  path: string,
  describeForeign: () => string,
  describeWritable: () => string,
): Distrust | undefined {
  const { uid, mode } = statSync(path);
  if (uid !== rootUid) return { fault: describeForeign(), path, isForeign: true };
  if ((mode & writableByOthers) === 0) return undefined;
  return { fault: describeWritable(), path, isForeign: false };
}
