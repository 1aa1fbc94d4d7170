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

export const userOption: OptionSpec = {
  value: "NAME",
  describe: "name of the user for budgets per user, in records and reports",
  default: "the login name for budgets, none in records",
};

export function parseUser(raw: RawOptions): string | undefined {
  return readText(raw, "user")?.slice(0, nameCharactersMax);
}
