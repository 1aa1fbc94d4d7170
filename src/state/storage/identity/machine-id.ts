import { join } from "node:path";
import { keptRandom, ownPath, readRandom, writeRandom } from "./kept-random.ts";
import { repairFile } from "./repair-file.ts";

// No two of a million machines share an id.
const machineIdBytes = 16;

const idFile = "machine-id";

export function machineIdPath(folder: string): string {
  return join(folder, idFile);
}

/** Random, and neither name nor number of the machine. A damaged file gets a new id. Undefined when the folder can hold none, or no regular file is there. */
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

export function knownMachineId(folder: string | undefined): string | undefined {
  return folder === undefined
    ? undefined
    : checked(readRandom(machineIdPath(folder), machineIdBytes));
}

function checked(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]+$/.test(id) ? id : undefined;
}
