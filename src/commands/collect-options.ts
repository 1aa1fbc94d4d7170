import type { Io } from "#kit/io.ts";
import {
  listConfigLocations,
  isPresent,
  locateSystemConfigs,
} from "#state/storage/config/config-locations.ts";
import { Teller } from "#kit/text/teller.ts";
import type { Arguments, Command, RawOptions, UnknownVariable } from "./command.ts";
import {
  readEnvironment,
  findUnknownVariables,
  listVariableOptions,
  findNamedConfig,
} from "./environment.ts";
import { expandPaths } from "./values.ts";
import { commandSentences } from "./sentences.ts";

type ParsedLine = Pick<Arguments, "operands" | "child"> & { readonly flags: RawOptions };

/** Flags override variables, variables override config files. Throws UserError. */
export async function collectArguments(
  command: Command,
  { flags, ...words }: ParsedLine,
  io: Io,
): Promise<Arguments> {
  const { tell } = new Teller(io.stderr);
  const unknownVariables = await findVariablesOfNoCommand(command, io.env);
  for (const { name, nearest } of unknownVariables) {
    tell(commandSentences.variableUnknown(name, nearest));
  }
  const fromEnv = readEnvironment(command.options, io.env);
  const explicit = expandPaths(command.options, { ...fromEnv, ...flags }, io.env);
  const places = listConfigLocations(
    findNamedConfig(explicit, flags),
    io.env,
    locateSystemConfigs(io.platform),
  );
  if (command.isConfigured !== true || !places.some(isPresent)) {
    return { ...words, options: explicit, unknownVariables };
  }
  const { applyConfigFiles } = await import("./configured-arguments.ts");
  return applyConfigFiles({ command, words, explicit, places }, io.env, tell);
}

async function findVariablesOfNoCommand(
  command: Command,
  env: Io["env"],
): Promise<readonly UnknownVariable[]> {
  if (findUnknownVariables(listVariableOptions(command.options), env).length === 0) return [];
  const { commands } = await import("./index.ts");
  const names = Object.values(commands).flatMap(({ options }) => listVariableOptions(options));
  return findUnknownVariables(names, env);
}
