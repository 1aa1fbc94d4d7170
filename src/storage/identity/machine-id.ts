import { join } from "node:path";
import { machineIdBytes } from "#limits/records.ts";
import { keptRandom, readRandom } from "./kept-random.ts";

/** File name of the id in the state folder. */
const idFile = "machine-id";

/**
 * The id of this installation in records: random, made once, and neither the name nor a number of the machine. Without its
 * file it is another one. Undefined when the folder can hold none, or holds something else.
 */
export function machineId(folder: string | undefined): string | undefined {
  return checked(keptRandom(folder, idFile, machineIdBytes));
}

/** The same, as far as it has been made. */
export function knownMachineId(folder: string | undefined): string | undefined {
  return folder === undefined
    ? undefined
    : checked(readRandom(join(folder, idFile), machineIdBytes));
}

function checked(id: string | undefined): string | undefined {
  return id !== undefined && /^[0-9a-f]+$/.test(id) ? id : undefined;
}
