import { sentences, UserError } from "#errors.ts";
import { nearestName } from "#text/nearest.ts";
import type { OptionSpecs, RawOptions } from "./command.ts";

type Environment = Readonly<{ [name: string]: string | undefined }>;

const prefix = "MCP_METER_";

/**
 * Options that variables set. An empty variable sets nothing, and no variable sets an option for flags only. Throws
 * UserError when both variables of one option are set to different values.
 */
export function environmentOptions(specs: OptionSpecs, env: Environment): RawOptions {
  const options: { [name: string]: string } = {};
  for (const [name, { isFlagOnly, variableAlias }] of Object.entries(specs)) {
    if (isFlagOnly === true) continue;
    const names = variableAlias === undefined ? [name] : [name, variableAlias];
    const value = valueOf(names.map(variableName), env);
    if (value !== undefined) options[name] = value;
  }
  return options;
}

/** The value of the variables of one option. */
function valueOf(variables: readonly string[], env: Environment): string | undefined {
  const [first, second] = variables.filter((variable) => (env[variable] ?? "") !== "");
  if (first === undefined) return undefined;
  if (second !== undefined && env[first] !== env[second]) {
    throw new UserError(sentences.variablesContradict(first, second));
  }
  return env[first];
}

/** The names by which variables set options: their own, and their other ones. */
export function variableOptions(specs: OptionSpecs): readonly string[] {
  return Object.entries(specs).flatMap(([name, { variableAlias }]) =>
    variableAlias === undefined ? [name] : [name, variableAlias],
  );
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
