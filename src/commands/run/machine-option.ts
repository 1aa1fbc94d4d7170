import { nameCharactersMax } from "#limits/lines.ts";
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
