import type { Io } from "#kit/io.ts";
import { UserError } from "#kit/errors.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import type { OptionSpec, OptionSpecs, RawOptions, UnknownVariable } from "./command.ts";
import { commandSentences } from "./sentences.ts";
import { disableVariable } from "./disable-switch.ts";

const variablePrefix = "MCP_METER_";

export function readEnvironment(specs: OptionSpecs, env: Io["env"]): RawOptions {
  const options: { [name: string]: string } = {};
  if (listOurVariables(env).length === 0) return options;
  for (const [name, spec] of Object.entries(specs)) {
    const variable = findNonEmptyVariable(name, spec, env);
    const value = variable === undefined ? undefined : env[variable];
    if (value !== undefined) options[name] = value;
  }
  return options;
}

export function findNonEmptyVariable(
  name: string,
  spec: OptionSpec,
  env: Io["env"],
): string | undefined {
  if (spec.isCommandLineOnly === true) return undefined;
  const [first, ...others] = listNames(name, spec)
    .map(toVariableName)
    .filter((variable) => (env[variable] ?? "") !== "");
  if (first === undefined) return undefined;
  const different = others.find((variable) => env[variable] !== env[first]);
  if (different !== undefined) {
    throw new UserError(commandSentences.variablesContradict(first, different));
  }
  return first;
}

export function listKnownOptionNames(specs: OptionSpecs): readonly string[] {
  const names = Object.entries(specs).flatMap(([name, spec]) =>
    spec.isCommandLineOnly === true ? [] : listNames(name, spec),
  );
  return [...names, toOptionName(disableVariable)];
}

function listNames(name: string, { variableAlias, formerName }: OptionSpec): readonly string[] {
  return [name, variableAlias ?? [], formerName ?? []].flat();
}

export function listOurVariables(env: Io["env"]): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith(variablePrefix));
}

export function findUnknownVariables(
  optionNames: readonly string[],
  env: Io["env"],
): UnknownVariable[] {
  return listOurVariables(env)
    .filter((name) => !optionNames.some((option) => toVariableName(option) === name))
    .map((name) => {
      const nearest = findNearestName(toOptionName(name), optionNames);
      return { name, nearest: nearest && toVariableName(nearest) };
    });
}

export function toVariableName(option: string): string {
  return `${variablePrefix}${option.toUpperCase().replaceAll("-", "_")}`;
}

function toOptionName(variable: string): string {
  return variable.slice(variablePrefix.length).toLowerCase().replaceAll("_", "-");
}
