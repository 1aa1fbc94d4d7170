import type { Io } from "#kit/io.ts";
import { stateFolder } from "#state/storage/folders.ts";
import { readMachineId, machineId } from "#state/storage/identity/machine-id.ts";

export function chooseRecordedMachine(
  { machine, log }: { readonly machine: string | undefined; readonly log: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return log === "off" ? undefined : machineId(stateFolder(env));
}

export function findReportedMachine(
  { machine }: { readonly machine: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return readMachineId(stateFolder(env));
}
