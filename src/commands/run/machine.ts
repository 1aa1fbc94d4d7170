import type { Io } from "#kit/io.ts";
import { findStateFolder } from "#state/storage/folders.ts";
import { readMachineId, findOrMakeMachineId } from "#state/storage/identity/machine-id.ts";

export function chooseMachineToRecord(
  { machine, log }: { readonly machine: string | undefined; readonly log: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return log === "off" ? undefined : findOrMakeMachineId(findStateFolder(env));
}

export function chooseMachineToShow(
  { machine }: { readonly machine: string | undefined },
  env: Io["env"],
): string | undefined {
  if (machine !== undefined) return machine === "off" ? undefined : machine;
  return readMachineId(findStateFolder(env));
}
