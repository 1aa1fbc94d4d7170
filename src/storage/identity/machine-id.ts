import { join } from "node:path";
import { machineIdBytes } from "#limits/records.ts";
import { keptRandom, ownPath, readRandom, writeRandom } from "./kept-random.ts";
import { repairFile } from "./repair-file.ts";

/** File name of the id in the state folder. */
const idFile = "machine-id";

/** The path of the id in a state folder. */
export function machineIdPath(folder: string): string {
  return join(folder, idFile);
}

/**
 * The id of this installation in records: random, made once, and neither the name nor a number of the machine. Without its
 * file, and where that is damaged, it is another one. Undefined when the folder can hold none, or holds something else than a file.
 */
export function machineId(folder: string | undefined): string | undefined {
  const id = checked(keptRandom(folder, idFile, machineIdBytes));
  if (id !== undefined || folder === undefined) return id;
  const isWhole = (): boolean => knownMachineId(folder) !== undefined;
  const make = (): string => {
    const own = ownPath(folder, idFile);
    writeRandom(own, machineIdBytes);
    return own;
  };
  repairFile(machineIdPath(folder), { isWhole, make });
  return knownMachineId(folder);
}

/** The same, as far as it has been made. */
export function knownMachineId(folder: string | undefined): string | undefined {
  return folder === undefined
    ? undefined
    : checked(readRandom(machineIdPath(folder), machineIdBytes));
}

function checked(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]+$/.test(id) ? id : undefined;
}
