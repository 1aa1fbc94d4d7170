import type { Io } from "#kit/io.ts";
import { serverLabel } from "#meter/session/server-label.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import type { ConfigPlace } from "#state/storage/config/config-path.ts";
import { applyPolicy } from "#state/storage/config/apply-policy.ts";
import { type MergedConfig, mergeConfigs } from "#state/storage/config/merge-configs.ts";
import { type Policy, readPolicy, systemConfigs } from "#state/storage/config/policy.ts";
import { readConfigs, type ReadConfig } from "#state/storage/config/read-configs.ts";
import type { Tell } from "#kit/text/teller.ts";
import { applyConfig, type ConfiguredOptions } from "./apply-config.ts";
import type { Arguments, Command, RawOptions } from "./command.ts";
import { expandPaths } from "./home-paths.ts";
import { commandSentences } from "./sentences.ts";

export type ConfigurableLine = {
  readonly command: Pick<Command, "options" | "check" | "ignored">;
  readonly words: Pick<Arguments, "operands" | "child">;
  readonly explicit: RawOptions;
  readonly places: readonly ConfigPlace[];
};

export type ResolvedConfig = ConfiguredOptions & {
  readonly configs: readonly ReadConfig[];
  readonly server: string | undefined;
  /** Includes values that the command line overrides, and values with a mistake. */
  readonly merged: MergedConfig;
  readonly policy: Policy | undefined;
  readonly overridden: readonly string[];
};

/** Mistakes in files that the command line does not name are left out and returned; any other throws UserError. */
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

export function configuredArguments(line: ConfigurableLine, env: Io["env"], tell: Tell): Arguments {
  const { options, implicit, mistakes, policy, overridden } = resolveConfig(line, env);
  if (policy && overridden.length > 0) tell(commandSentences.policyHolds(overridden, policy.file));
  for (const sentence of mistakeSentences(mistakes)) tell(sentence);
  const config = { implicit, faults: mistakes.map(({ what }) => what) };
  return { ...line.words, options, config };
}

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

function mistakeSentences(mistakes: readonly ConfigMistake[]): readonly string[] {
  const byFile = Map.groupBy(mistakes, ({ file }) => file);
  return [...byFile].map(([file, [first, ...others]]) =>
    commandSentences.configIgnored(file, first?.fault ?? "", others.length),
  );
}
