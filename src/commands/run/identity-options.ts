import { nameCharactersMax } from "#kit/limits.ts";
import type { OptionSpec, RawOptions } from "../command.ts";
import { parseOption, readText } from "../option-values.ts";

export const machineOption: OptionSpec = {
  value: "ID",
  description: 'id of this machine in records and reports; "off" leaves it out',
  default: "random, generated once",
};

export function parseMachine(raw: RawOptions): string | undefined {
  return readText(raw, "machine")?.slice(0, nameCharactersMax);
}

const login = "login";

export const userOption: OptionSpec = {
  value: "NAME",
  description: `name of the user in records, reports and budgets per user; "${login}" stands for the login name`,
  default: "the login name for budgets, none in records",
};

export const userHeaderOption: OptionSpec = {
  value: "HEADER",
  description: "header that names the user of a request, set by a proxy that you trust",
  default: "one user for all requests",
};

export type UserChoice = { readonly user: string | undefined; readonly recordsLogin: boolean };

export function parseUser(raw: RawOptions): UserChoice {
  const text = parseOption(raw, "user", normalizeUserName, "a name");
  return text === login
    ? { user: undefined, recordsLogin: true }
    : { user: text, recordsLogin: false };
}

function normalizeUserName(text: string): string | undefined {
  const name = text.normalize("NFC").trim().slice(0, nameCharactersMax);
  return name === "" ? undefined : name;
}
