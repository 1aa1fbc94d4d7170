import { lstatSync, type Stats } from "node:fs";
import { fileKind } from "#kit/os/open-file.ts";
import type { Finding } from "#screens/renderers/documents/doctor.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { knownMachineId, machineIdPath } from "#state/storage/identity/machine-id.ts";
import { damagedName } from "#state/storage/identity/repair-file.ts";
import { isThere } from "#state/storage/is-there.ts";
import { shellWord } from "#kit/text/shell-word.ts";
import { type Check, ok, warning } from "./finding.ts";

const check = "machine id";

/** Without an id, gathered records of several machines get mixed. */
export const checkMachine: Check = ({ env }) => {
  const folder = stateFolder(env);
  return folder === undefined ? [] : [findingOf(machineIdPath(folder), knownMachineId(folder))];
};

function findingOf(path: string, id: string | undefined): Finding {
  const stats = statsOf(path);
  if (!stats) return ok(check, "none yet; the first session makes it");
  const word = shellWord(path);
  if (!stats.isFile()) {
    const detail = `${path} is a ${fileKind(stats)}, not a file: records have no machine`;
    return warning(check, detail, `mv ${word} ${word}.old`);
  }
  if (id === undefined) {
    const detail = `${path} is empty or damaged; the next session makes another id`;
    return warning(check, detail, `rm ${word}`);
  }
  const damaged = damagedName(path);
  if (!isThere(damaged)) return ok(check, id);
  const detail = `${path} was damaged; records have another id since it was repaired: ${id}`;
  return warning(check, detail, `rm ${shellWord(damaged)}`);
}

/** Undefined also for an unreadable folder, which another finding reports. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
