import type { Io } from "#io.ts";
import { nameCharactersMax } from "#limits/lines.ts";
import { stateFolder } from "#storage/folders.ts";
import { knownMachineId, machineId } from "#storage/identity/machine-id.ts";
import type { OptionSpec, RawOptions } from "../command.ts";
import { textOption } from "../values.ts";

/** The name of a machine in records and reports. */
export const machineOption: OptionSpec = {
  value: "ID",
  describe: "id of this machine in records and reports; off for none",
  default: "a random one, made once",
};

/** The option as written, cut to the length of a name; undefined without it. */
export function parseMachine(raw: RawOptions): string | undefined {
  return textOption(raw, "machine")?.slice(0, nameCharactersMax);
}

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
