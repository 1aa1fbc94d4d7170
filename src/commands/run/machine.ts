import type { Io } from "#io.ts";
import { stateFolder } from "#storage/folders.ts";
import { knownMachineId, machineId } from "#storage/identity/machine-id.ts";

/** The id of this machine in records, made if it is missing; undefined where none is wanted, or nothing is recorded. */
export function recordedMachine(
  { machine, log }: { readonly machine: string | undefined; readonly log: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return log === "off" ? undefined : machineId(stateFolder(env));
}

/** The id of this machine in reports, which make none. */
export function reportedMachine(
  { machine }: { readonly machine: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return knownMachineId(stateFolder(env));
}
