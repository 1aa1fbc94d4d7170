import type { Io } from "#kit/io.ts";
import {
  listConfigLocations,
  mustBeRead,
  locateSystemConfigFolder,
  findNamedConfig,
} from "#state/storage/config/config-locations.ts";
import { recover } from "#kit/errors.ts";
import { type Tell, Teller } from "#kit/text/teller.ts";
import type { Arguments, Command, RawOptions, UnknownVariable } from "./command.ts";
import {
  readEnvironment,
  findUnknownVariables,
  listKnownOptionNames,
  findNonEmptyVariable,
  listOurVariables,
} from "./environment-variables.ts";
import { expandPaths, OptionConflict } from "./option-values.ts";
import { commandSentences } from "./sentences.ts";

type ParsedLine = Pick<Arguments, "operands" | "child"> & { readonly flags: RawOptions };

// Flags override variables, which override config files. Locked options cannot be overridden. Throws UserError.
export async function collectArguments(
  command: Command,
  { flags, ...words }: ParsedLine,
  io: Io,
): Promise<Arguments> {
  const isQuiet = command.isQuiet === true;
  const tell: Tell = isQuiet ? () => undefined : new Teller(io.stderr).tell;
  const unknownVariables = isQuiet ? [] : await findVariablesOfNoCommand(command, io.env);
  for (const { name, nearest } of unknownVariables) {
    tell(commandSentences.variableUnknown(name, nearest));
  }
  const fromEnv = await readUsableVariables(command, { flags, ...words }, io.env, tell);
  const explicit = expandPaths(command.options, { ...fromEnv, ...flags }, io.env);
  const configLocations = listConfigLocations(
    findNamedConfig(explicit, flags),
    io.env,
    locateSystemConfigFolder(io.platform),
  );
  if (command.readsConfig !== true || !configLocations.some(mustBeRead)) {
    return { ...words, options: explicit, unknownVariables };
  }
  const { applyConfigFiles } = await import("./apply-config-files.ts");
  return applyConfigFiles({ command, words, explicit, configLocations }, io.env, tell);
}

// A variable is often meant for another command, so variables that do not fit this command line are ignored.
async function readUsableVariables(
  command: Command,
  { flags, ...words }: ParsedLine,
  env: Io["env"],
  tell: Tell,
): Promise<RawOptions> {
  const fromVariables = Object.entries(readEnvironment(command.options, env)).filter(
    ([name]) => flags[name] === undefined,
  );
  const foreignNames = await findForeignChoices(command, fromVariables);
  const fittingVariables = fromVariables.filter(([name]) => !foreignNames.includes(name));
  const usable = dropConflicts(fittingVariables, (variables) => {
    const options = expandPaths(command.options, { ...variables, ...flags }, env);
    command.check({ ...words, options });
  });
  for (const [name] of fromVariables) {
    const spec = command.options[name];
    const variable = spec && findNonEmptyVariable(name, spec, env);
    if (usable[name] === undefined && variable !== undefined)
      tell(commandSentences.variableIgnored(variable));
  }
  return usable;
}

function dropConflicts(
  variables: readonly (readonly [name: string, value: RawOptions[string]])[],
  check: (options: RawOptions) => void,
): RawOptions {
  const all = Object.fromEntries(variables);
  if (variables.length === 0 || !hasConflict(() => check(all))) return all;
  let usable: RawOptions = {};
  for (const [name, value] of variables) {
    const next = { ...usable, [name]: value };
    if (!hasConflict(() => check(next))) usable = next;
  }
  return usable;
}

function hasConflict(check: () => void): boolean {
  return recover(check, (error) => error instanceof OptionConflict) === true;
}

// Finds variables with a value that only other commands accept: for example, only `report` accepts the format `csv`.
async function findForeignChoices(
  { options: specs }: Command,
  variables: readonly (readonly [name: string, value: RawOptions[string]])[],
): Promise<readonly string[]> {
  const unknown = variables.filter(([name, value]) => {
    const { choices, isPath } = specs[name] ?? {};
    return choices !== undefined && isPath !== true && !choices.includes(String(value));
  });
  if (unknown.length === 0) return [];
  const { commands } = await import("./index.ts");
  const others = Object.values(commands).map(({ options }) => options);
  return unknown.flatMap(([name, value]) =>
    others.some((options) => options[name]?.choices?.includes(String(value)) === true)
      ? [name]
      : [],
  );
}

async function findVariablesOfNoCommand(
  command: Command,
  env: Io["env"],
): Promise<readonly UnknownVariable[]> {
  if (listOurVariables(env).length === 0) return [];
  if (findUnknownVariables(listKnownOptionNames(command.options), env).length === 0) return [];
  const { commands } = await import("./index.ts");
  const names = Object.values(commands).flatMap(({ options }) => listKnownOptionNames(options));
  return findUnknownVariables(names, env);
}
