import { sentences } from "#errors.ts";
import type { Io } from "#io.ts";
import { serverLabel } from "#session/server-label.ts";
import type { ConfigMistake } from "#storage/config/config-file.ts";
import type { ConfigPlace } from "#storage/config/config-path.ts";
import { applyPolicy } from "#storage/config/apply-policy.ts";
import { type MergedConfig, mergeConfigs } from "#storage/config/merge-configs.ts";
import { type Policy, readPolicy, systemConfigs } from "#storage/config/policy.ts";
import { readConfigs, type ReadConfig } from "#storage/config/read-configs.ts";
import type { Tell } from "#text/teller.ts";
import { applyConfig, type ConfiguredOptions } from "./apply-config.ts";
import type { Arguments, Command, RawOptions } from "./command.ts";
import { expandPaths } from "./home-paths.ts";

/** A command line whose options are completed by config files. */
export type ConfigurableLine = {
  readonly command: Pick<Command, "options" | "check" | "ignored">;
  readonly words: Pick<Arguments, "operands" | "child">;
  /** From flags and variables. */
  readonly explicit: RawOptions;
  readonly places: readonly ConfigPlace[];
};

/** A command line completed by config files. */
export type ResolvedConfig = ConfiguredOptions & {
  readonly configs: readonly ReadConfig[];
  /** The name by which a section of a server is found. */
  readonly server: string | undefined;
  /** The values of the files, those that the command line overrides and those with a mistake included. */
  readonly merged: MergedConfig;
  /** Options that the system locks; undefined where it locks none. */
  readonly policy: Policy | undefined;
  /** Members of a config whose values of the user are ignored, because the system locks them. */
  readonly overridden: readonly string[];
};

/**
 * Completes options by config files. Mistakes in files that the command line does not name are left out and returned.
 * Throws UserError for any other mistake.
 */
export function resolveConfig(
  { command, words, explicit, places }: ConfigurableLine,
  env: Io["env"],
): ResolvedConfig {
  const { configs, mistakes } = readConfigs(places);
  const { policy, unknown } = readPolicy(configs, { ...command.ignored, ...command.options });
  const isNamed = policy?.locked.has("server") === true;
  const server = isNamed
    ? serverName(systemConfigs(configs), {}, words.child)
    : serverName(configs, explicit, words.child);
  const { merged, overridden, ...left } = applyPolicy(policy, { configs, explicit, server });
  const applied = applyConfig(left.explicit, merged, (options) => {
    const expanded = expandPaths(command.options, options, env);
    command.check({ ...words, options: expanded });
    return expanded;
  });
  const all = [...mistakes, ...unknown, ...applied.mistakes];
  return { ...applied, configs, server, merged, policy, overridden, mistakes: all };
}

/** The arguments with the options of config files. Prints one line for each file with a mistake. Throws UserError. */
export function configuredArguments(line: ConfigurableLine, env: Io["env"], tell: Tell): Arguments {
  const { options, implicit, mistakes, policy, overridden } = resolveConfig(line, env);
  if (policy && overridden.length > 0) tell(sentences.policyHolds(overridden, policy.file));
  for (const sentence of mistakeSentences(mistakes)) tell(sentence);
  const config = { implicit, faults: mistakes.map(({ what }) => what) };
  return { ...line.words, options, config };
}

/** The name by which a section is found: the one that the user gave the server, else the label of its command. */
function serverName(
  configs: readonly ReadConfig[],
  explicit: RawOptions,
  child: readonly string[] | undefined,
): string | undefined {
  const given = explicit["server"] ?? mergeConfigs(configs, undefined).get("server")?.value;
  if (typeof given === "string" && given !== "") return given;
  const label = serverLabel(child ?? []);
  return label === "" ? undefined : label;
}

/** One sentence for each file: its first mistake, and the number of the others. */
function mistakeSentences(mistakes: readonly ConfigMistake[]): readonly string[] {
  const byFile = Map.groupBy(mistakes, ({ file }) => file);
  return [...byFile].map(([file, [first, ...others]]) =>
    sentences.configIgnored(file, first?.fault ?? "", others.length),
  );
}
