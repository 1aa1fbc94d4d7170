import { UserError } from "#kit/errors.ts";
import { nearestName } from "#kit/text/match-names.ts";
import type { OptionSpec, OptionSpecs, RawOptions, UnknownVariable } from "./command.ts";
import { commandSentences } from "./sentences.ts";
import type { NamedConfig } from "#state/storage/config/config-path.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

const prefix = "MCP_METER_";

/** The variable that makes `run` a plain pass-through; no option does. */
const disableName = "disable";

/** An empty variable sets nothing. Throws UserError when both variables of an option have different values. */
export function environmentOptions(specs: OptionSpecs, env: Environment): RawOptions {
  const options: { [name: string]: string } = {};
  for (const [name, spec] of Object.entries(specs)) {
    const variable = setVariable(name, spec, env);
    const value = variable === undefined ? undefined : env[variable];
    if (value !== undefined) options[name] = value;
  }
  return options;
}

export function setVariable(
  name: string,
  { isFlagOnly, variableAlias }: OptionSpec,
  env: Environment,
): string | undefined {
  if (isFlagOnly === true) return undefined;
  const names = variableAlias === undefined ? [name] : [name, variableAlias];
  const [first, second] = names.map(variableName).filter((one) => (env[one] ?? "") !== "");
  if (first !== undefined && second !== undefined && env[first] !== env[second]) {
    throw new UserError(commandSentences.variablesContradict(first, second));
  }
  return first;
}

export function isDisabled(env: Environment): boolean {
  return !["", "0", "false", "no"].includes(env[variableName(disableName)] ?? "");
}

export function variableOptions(specs: OptionSpecs): readonly string[] {
  const names = Object.entries(specs).flatMap(([name, { variableAlias }]) =>
    variableAlias === undefined ? [name] : [name, variableAlias],
  );
  return [...names, disableName];
}

export function unknownVariables(
  optionNames: readonly string[],
  env: Environment,
): UnknownVariable[] {
  return ourVariables(env)
    .filter((variable) => !optionNames.includes(optionName(variable)))
    .map((variable) => {
      const nearest = nearestName(optionName(variable), optionNames);
      return { name: variable, nearest: nearest === undefined ? undefined : variableName(nearest) };
    });
}

export function variableName(option: string): string {
  return `${prefix}${option.toUpperCase().replaceAll("-", "_")}`;
}

function ourVariables(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith(prefix));
}

function optionName(variable: string): string {
  return variable.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}

export function namedConfig(options: RawOptions, flags: RawOptions): NamedConfig | undefined {
  const { config: file } = options;
  if (typeof file !== "string" || file === "") return undefined;
  return { file, isOnCommandLine: flags["config"] !== undefined };
}

export const generalOptions: OptionSpecs = {
  help: { describe: "show help", short: "h" },
  version: { describe: "show the version", short: "V" },
};
