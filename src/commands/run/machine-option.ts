import { nameCharactersMax } from "#kit/limits.ts";
import type { OptionSpec, RawOptions } from "../command.ts";
import { readText } from "../values.ts";

export const machineOption: OptionSpec = {
  value: "ID",
  describe: "id of this machine in records and reports; off for none",
  default: "random, generated once",
};

export function parseMachine(raw: RawOptions): string | undefined {
  return readText(raw, "machine")?.slice(0, nameCharactersMax);
}
