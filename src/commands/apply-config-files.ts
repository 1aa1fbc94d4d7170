import type { Io } from "#kit/io.ts";
import { makeServerLabel } from "#meter/session/server-label.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import {
  type ConfigLocation,
  listConfigLocations,
  locateSystemConfigFolder,
  findNamedConfig,
} from "#state/storage/config/config-locations.ts";
import {
  applyPolicy,
  type Policy,
  readPolicy,
  pickSystemConfigs,
} from "#state/storage/config/policy.ts";
import {
  type MergedConfig,
  mergeConfigs,
  type ConfigEntry,
  readConfigs,
  type ReadConfig,
} from "#state/storage/config/read-configs.ts";
import type { Tell } from "#kit/text/teller.ts";
import type { Arguments, Command, RawOptions } from "./command.ts";
import { expandPaths } from "./option-values.ts";
import { commandSentences } from "./sentences.ts";
import { recover } from "#kit/errors.ts";
import { lockedBudgetsOption } from "#meter/budgets/gate-options.ts";
import { readEnvironment } from "./environment-variables.ts";
import { runCommand } from "./run/index.ts";

export type CommandLine = {
  readonly command: Pick<Command, "options" | "check" | "ignoredInConfig">;
  readonly words: Pick<Arguments, "operands" | "child">;
  readonly explicit: RawOptions;
  readonly configLocations: readonly ConfigLocation[];
};

export type ResolvedConfig = ConfiguredOptions & {
  readonly configs: readonly ReadConfig[];
  readonly server: string | undefined;
  // Includes values that the command line overrides, and values with a mistake.
  readonly merged: MergedConfig;
  readonly policy: Policy | undefined;
  // The options that the user sets in vain, because the system config locks them.
  readonly overridden: readonly string[];
};

// A command line of `run`, to find the options that sessions get from variables and config files. `run`
// requires the command of a server, so the default of `child` is a placeholder.
export function makeRunCommandLine(
  { env, platform }: Pick<Io, "env" | "platform">,
  flags: RawOptions = {},
  child: readonly string[] = [""],
): CommandLine {
  const unexpanded = { ...readEnvironment(runCommand.options, env), ...flags };
  const explicit = expandPaths(runCommand.options, unexpanded, env);
  const system = locateSystemConfigFolder(platform);
  const configLocations = listConfigLocations(findNamedConfig(explicit, flags), env, system);
  return { command: runCommand, words: { operands: [], child }, explicit, configLocations };
}

// Leaves out invalid values from files that the command line does not name, and returns the mistakes.
// Throws UserError for any other mistake.
export function resolveConfig(
  { command, words, explicit, configLocations }: CommandLine,
  env: Io["env"],
): ResolvedConfig {
  const { configs, mistakes } = readConfigs(configLocations);
  const { policy, unknown: policyMistakes } = readPolicy(configs, {
    ...command.ignoredInConfig,
    ...command.options,
  });
  const isServerLocked = policy?.locked.has("server") === true;
  const server = isServerLocked
    ? findServerName(pickSystemConfigs(configs), {}, words.child)
    : findServerName(configs, explicit, words.child);
  const allowed = applyPolicy(policy, { configs, explicit, server });
  const { merged, overridden } = allowed;
  const applied = applyConfig(allowed.explicit, merged, (options) => {
    const expanded = expandPaths(command.options, options, env);
    command.check({ ...words, options: expanded });
    return expanded;
  });
  const allMistakes = [...mistakes, ...policyMistakes, ...applied.mistakes];
  return { ...applied, configs, server, merged, policy, overridden, mistakes: allMistakes };
}

export function applyConfigFiles(commandLine: CommandLine, env: Io["env"], tell: Tell): Arguments {
  const { options, implicit, mistakes, policy, overridden } = resolveConfig(commandLine, env);
  if (policy && overridden.length > 0)
    tell(commandSentences.lockedByPolicy(overridden, policy.file));
  for (const sentence of describeMistakes(mistakes)) tell(sentence);
  const config = { implicit, faults: mistakes.map(({ cause }) => cause), overridden };
  return { ...commandLine.words, options, config };
}

function findServerName(
  configs: readonly ReadConfig[],
  explicit: RawOptions,
  child: readonly string[] | undefined,
): string | undefined {
  const name = explicit["server"] ?? mergeConfigs(configs, undefined).get("server")?.value;
  if (typeof name === "string" && name !== "") return name;
  const label = makeServerLabel(child ?? []);
  return label === "" ? undefined : label;
}

function describeMistakes(mistakes: readonly ConfigMistake[]): readonly string[] {
  const byFile = Map.groupBy(mistakes, ({ file }) => file);
  return [...byFile].map(([file, [first, ...others]]) =>
    commandSentences.configIgnored(file, first?.fault ?? "", others.length),
  );
}

type ConfiguredOptions = {
  readonly options: RawOptions;
  // The options whose values come from files that the command line does not name.
  readonly implicit: ReadonlySet<string>;
  readonly mistakes: readonly ConfigMistake[];
};

type OptionCheck = (options: RawOptions) => RawOptions;

// An option with its whole value, or with one budget if the value is a list of budgets.
type Setting = { readonly name: string; readonly entry: ConfigEntry };

// A value that `check` rejects is dropped if the command line does not name its file. Otherwise, throws UserError.
export function applyConfig(
  explicit: RawOptions,
  config: MergedConfig,
  check: OptionCheck,
): ConfiguredOptions {
  const entries = [...config].filter(([name]) => explicit[name] === undefined);
  const isFromImplicitFile = ([, { origin }]: (typeof entries)[number]): boolean =>
    origin.isImplicit;
  const explicitFileValues = pickValues(entries.filter((entry) => !isFromImplicitFile(entry)));
  const chosen = { ...explicitFileValues, ...explicit };
  const implicitEntries = entries.filter(isFromImplicitFile);
  const combined = tryOptions(check, { ...pickValues(implicitEntries), ...chosen });
  if ("options" in combined) {
    const implicit = new Set(implicitEntries.map(([name]) => name));
    return { ...combined, implicit, mistakes: [] };
  }
  return addOneByOne(chosen, implicitEntries.flatMap(splitBudgets), check);
}

// An option may depend on another, so rejected values are tried again until a round accepts none.
function addOneByOne(
  chosen: RawOptions,
  settings: readonly Setting[],
  check: OptionCheck,
): ConfiguredOptions {
  let accepted = chosen;
  let remaining = settings;
  let earlierCount: number;
  let rejections: Map<Setting, string>;
  const implicit = new Set<string>();
  do {
    earlierCount = remaining.length;
    rejections = new Map();
    for (const setting of remaining) {
      const next = addSetting(accepted, setting);
      const outcome = tryOptions(check, next);
      if ("options" in outcome) {
        accepted = next;
        implicit.add(setting.name);
      } else rejections.set(setting, outcome.fault);
    }
    remaining = [...rejections.keys()];
  } while (remaining.length < earlierCount);
  const mistakes = [...rejections].map(([{ name, entry }, fault]) => ({
    file: entry.origin.file,
    fault,
    cause: name.replaceAll("-", "_"),
  }));
  return { options: check(accepted), implicit, mistakes };
}

function tryOptions(
  check: OptionCheck,
  options: RawOptions,
): { readonly options: RawOptions } | { readonly fault: string } {
  return recover(
    () => ({ options: check(options) }),
    ({ message }) => ({ fault: message }),
  );
}

const budgetListOptions: ReadonlySet<string> = new Set(["budgets", lockedBudgetsOption]);

// A mistake in one budget must not discard the others.
function splitBudgets([name, entry]: readonly [string, ConfigEntry]): readonly Setting[] {
  if (!budgetListOptions.has(name)) return [{ name, entry }];
  return parseBudgetRows(entry.value).map((row) => ({
    name,
    entry: { ...entry, value: JSON.stringify([row]) },
  }));
}

function addSetting(options: RawOptions, { name, entry: { value } }: Setting): RawOptions {
  if (!budgetListOptions.has(name)) return { ...options, [name]: value };
  const rows = [...parseBudgetRows(options[name]), ...parseBudgetRows(value)];
  return { ...options, [name]: JSON.stringify(rows) };
}

function parseBudgetRows(json: RawOptions[string]): readonly unknown[] {
  const budgets: unknown = typeof json === "string" ? JSON.parse(json) : [];
  return Array.isArray(budgets) ? budgets : [];
}

function pickValues(entries: readonly (readonly [string, ConfigEntry])[]): RawOptions {
  return Object.fromEntries(entries.map(([name, { value }]) => [name, value]));
}
