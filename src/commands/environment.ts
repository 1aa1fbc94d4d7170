import { nearestName } from "#text/nearest.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

const prefix = "MCP_METER_";

/** Options that variables set. An empty variable sets nothing, and no variable sets an option for flags only. */
export function environmentOptions(specs: OptionSpecs, env: Environment): RawOptions {
  const options: { [name: string]: string } = {};
  for (const variable of ourVariables(env)) {
    const [name, value] = [optionName(variable), env[variable]];
    const isSet = value !== undefined && value !== "";
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    if (isSet && spec && spec.isFlagOnly !== true) options[name] = value;
  }
  return options;
}

/** A variable with our prefix that sets no option, and the nearest one that does. */
export type UnknownVariable = { readonly name: string; readonly nearest: string | undefined };

/** Variables with our prefix that set none of the options. */
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

/** The variable that sets an option: `log-fsync` → `MCP_METER_LOG_FSYNC`. */
export function variableName(option: string): string {
  return `${prefix}${option.toUpperCase().replaceAll("-", "_")}`;
}

function ourVariables(env: Environment): string[] {
  return Object.keys(env).filter((name) => name.startsWith(prefix));
}

function optionName(variable: string): string {
  return variable.slice(prefix.length).toLowerCase().replaceAll("_", "-");
}
