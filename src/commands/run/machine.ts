import type { Io } from "#kit/io.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { readMachineId, findMachineId } from "#state/storage/identity/machine-id.ts";

export function chooseRecordedMachine(
  { machine, log }: { readonly machine: string | undefined; readonly log: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return log === "off" ? undefined : findMachineId(findStateFolder(env));
}

export function findReportedMachine(
  { machine }: { readonly machine: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return readMachineId(findStateFolder(env));
}
