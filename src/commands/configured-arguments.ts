import type { Io } from "#kit/io.ts";
import { makeServerLabel } from "#meter/session/participants.ts";
import type { ConfigMistake } from "#state/storage/config/config-file.ts";
import {
  type ConfigLocation,
  listConfigLocations,
  locateSystemConfigs,
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
import { expandPaths } from "./values.ts";
import { commandSentences } from "./sentences.ts";
import { UserError, recover } from "#kit/errors.ts";
import { lockedBudgets } from "#meter/budgets/gate-options.ts";
import { isAbsolute } from "node:path";
import { maskSecrets } from "#kit/text/secrets.ts";
import { findNamedConfig, findSetVariable, readEnvironment } from "./environment.ts";
import { type MeteringOptions, parseRunOptions } from "./run/options.ts";
import { findReplaceFault } from "#kit/os/replace-file.ts";
import { examineForAppend } from "#state/storage/record-file.ts";
import { examineSpillFolder } from "#state/storage/spill-file.ts";
import {
  namesFile,
  isFaultTolerated,
  type NamedFileOption,
  makeFileReaders,
  rejectUnpricedBudgets,
  chooseSpillFolder,
} from "./run/preparation.ts";
import { commonSentences } from "#kit/sentences.ts";

export type CommandLine = {
  readonly command: Pick<Command, "options" | "check" | "ignoredInConfig">;
  readonly words: Pick<Arguments, "operands" | "child">;
  readonly explicit: RawOptions;
  readonly configLocations: readonly ConfigLocation[];
};

export type ResolvedConfig = ConfiguredOptions & {
  readonly configs: readonly ReadConfig[];
  readonly server: string | undefined;
  /** Includes values that the command line overrides, and values with a mistake. */
  readonly merged: MergedConfig;
  readonly policy: Policy | undefined;
  readonly overridden: readonly string[];
};

// The options that sessions get from variables and config files. `run` rejects options without a
// command, so `child` has a placeholder.
export function makeRunCommandLine<Run extends Pick<Command, "options" | "check">>(
  run: Run,
  { env, platform }: Pick<Io, "env" | "platform">,
  flags: RawOptions = {},
  child: readonly string[] = [""],
) {
  const unexpanded = { ...readEnvironment(run.options, env), ...flags };
  const explicit = expandPaths(run.options, unexpanded, env);
  const system = locateSystemConfigs(platform);
  const configLocations = listConfigLocations(findNamedConfig(explicit, flags), env, system);
  return { command: run, words: { operands: [], child }, explicit, configLocations };
}

// Leaves out wrong values of files that the command line does not name, and returns the mistakes.
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
  const { merged, overridden, ...allowed } = applyPolicy(policy, { configs, explicit, server });
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
  if (policy && overridden.length > 0) tell(commandSentences.policyHolds(overridden, policy.file));
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
  readonly implicit: ReadonlySet<string>;
  readonly mistakes: readonly ConfigMistake[];
};

type OptionCheck = (options: RawOptions) => RawOptions;

type Piece = { readonly name: string; readonly entry: ConfigEntry };

// `explicit` options override config files. Drops a value that `check` rejects if the
// command line does not name its file; otherwise throws UserError.
export function applyConfig(
  explicit: RawOptions,
  config: MergedConfig,
  check: OptionCheck,
): ConfiguredOptions {
  const entries = [...config].filter(([name]) => explicit[name] === undefined);
  const isFromImplicitFile = ([, { origin }]: (typeof entries)[number]): boolean =>
    origin.isImplicit;
  const named = entries.filter((entry) => !isFromImplicitFile(entry));
  const chosen = { ...pickValues(named), ...explicit };
  const implicit = entries.filter(isFromImplicitFile);
  const combined = tryOptions(check, { ...pickValues(implicit), ...chosen });
  if ("options" in combined)
    return { ...combined, implicit: new Set(implicit.map(([name]) => name)), mistakes: [] };
  return addOneByOne(chosen, implicit.flatMap(splitBudgets), check);
}

// An option may depend on another, so rejected values are tried again until a round accepts none.
function addOneByOne(
  chosen: RawOptions,
  pieces: readonly Piece[],
  check: OptionCheck,
): ConfiguredOptions {
  let accepted = chosen;
  let remaining = pieces;
  let rejections = new Map<Piece, string>();
  const implicit = new Set<string>();
  for (let isChanged = true; isChanged;) {
    const earlierCount = remaining.length;
    rejections = new Map();
    for (const piece of remaining) {
      const next = addPiece(accepted, piece);
      const outcome = tryOptions(check, next);
      if ("options" in outcome) {
        accepted = next;
        implicit.add(piece.name);
      } else rejections.set(piece, outcome.fault);
    }
    remaining = [...rejections.keys()];
    isChanged = remaining.length > 0 && remaining.length < earlierCount;
  }
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

const budgetListOptions: ReadonlySet<string> = new Set(["budgets", lockedBudgets]);

// A mistake in one budget must not discard the others.
function splitBudgets([name, entry]: readonly [string, ConfigEntry]): readonly Piece[] {
  if (!budgetListOptions.has(name)) return [{ name, entry }];
  return parseBudgetRows(entry.value).map((row) => ({
    name,
    entry: { ...entry, value: JSON.stringify([row]) },
  }));
}

function addPiece(options: RawOptions, { name, entry: { value } }: Piece): RawOptions {
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

export type NamedFileFault = FileFault & {
  readonly source: string;
  readonly isRelativePath: boolean;
};

export type ExaminedConfig = {
  readonly commandLine: CommandLine & { readonly command: Pick<Command, "options" | "check"> };
  readonly resolved: ResolvedConfig;
};

/** Finds the named files that sessions could not use, and changes none. Masks secrets. */
export async function findNamedFileFaults(
  { commandLine, resolved }: ExaminedConfig,
  env: Io["env"],
): Promise<readonly NamedFileFault[]> {
  const { options, implicit } = resolved;
  const config = { implicit, faults: [] };
  const runOptions = parseRunOptions({ ...commandLine.words, options, config });
  const faults = await examineNamedFiles(runOptions);
  return faults.map((fault) => ({
    ...fault,
    ...noteRelativePath(fault, options[fault.option]),
    source: describeSource(fault.option, { commandLine, resolved }, env),
  }));
}

function noteRelativePath(
  { option, failure }: FileFault,
  value: RawOptions[string],
): Pick<NamedFileFault, "failure" | "isRelativePath"> {
  const isRelativePath = option !== "budget" && typeof value === "string" && !isAbsolute(value);
  const note = isRelativePath ? relativeNote : "";
  return { failure: `${maskSecrets(failure)}${note}`, isRelativePath };
}

const relativeNote = "; the path is relative to each session's folder";

export function describeSource(
  option: string,
  { commandLine, resolved }: ExaminedConfig,
  env: Io["env"],
): string {
  const spec = commandLine.command.options[option];
  const variable =
    commandLine.explicit[option] !== undefined && spec && findSetVariable(option, spec, env);
  if (typeof variable === "string") return variable;
  const members = option === "budget" ? [lockedBudgets, "budgets"] : [option];
  const entry = members.map((name) => resolved.merged.get(name)).find(Boolean);
  return entry?.origin.file ?? `--${option}`;
}

type FileFault = {
  readonly option: NamedFileOption | "log" | "summary-file";
  readonly failure: string;
  /** Sessions do not start, ignore the option, or do not write the file. */
  readonly effect: "stops" | "ignored" | "unwritten";
};

async function examineNamedFiles(options: MeteringOptions): Promise<readonly FileFault[]> {
  const { lock, prices, calibration } = makeFileReaders(options);
  const { log, summary, summaryFile } = options;
  const examinations = [
    ["lock", lock],
    ["spill-dir", () => examineIfNamed(chooseSpillFolder(options), examineSpillFolder)],
    ["prices", prices],
    ["budget", () => rejectUnpricedBudgets({ ...options, ...asNamed })],
    ["calibration", calibration],
    [
      "log",
      () => examineIfNamed(log !== undefined && namesFile(log) ? log : undefined, examineForAppend),
    ],
    [
      "summary-file",
      () => examineIfNamed(summary === "off" ? undefined : summaryFile, examineSummary),
    ],
  ] as const;
  const faults: FileFault[] = [];
  for (const [option, examine] of examinations) {
    const failure = await catchFailure(examine);
    if (failure !== undefined)
      faults.push({ option, failure, effect: predictEffect(option, options) });
  }
  return faults;
}

// Sessions ignore an unpriced budget of an unnamed config; taken as named, it becomes a fault.
const asNamed = { implicit: new Set<string>(), lockedBudgets: [] };

function examineIfNamed(path: string | undefined, examine: (path: string) => unknown): void {
  if (path !== undefined) examine(path);
}

function examineSummary(file: string): void {
  const fault = findReplaceFault(file);
  if (fault !== undefined) throw new UserError(commonSentences.summaryUnwritable(file, fault));
}

async function catchFailure(examine: () => unknown): Promise<string | undefined> {
  try {
    await examine();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

function predictEffect(option: FileFault["option"], options: MeteringOptions): FileFault["effect"] {
  if (option === "log" || option === "summary-file") return "unwritten";
  return isFaultTolerated(option, options) ? "ignored" : "stops";
}
