import { actionRules } from "#meter/actions/rules.ts";
import { makeBudget, type RawBudget } from "#meter/budgets/budget.ts";
import { inWords } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import type {
  ConfigReport,
  ShownConfigFile,
  ShownOption,
} from "#screens/renderers/documents/config.ts";
import {
  configPlaces,
  type ConfigPlace,
  isOccupied,
  systemConfigFolder,
} from "#state/storage/config/config-path.ts";
import { lockedBudgets } from "#meter/budgets/gate-options.ts";
import { locksDisable, type Policy } from "#state/storage/config/policy.ts";
import { type MergedConfig, serversIn } from "#state/storage/config/read-configs.ts";
import { mask, maskSecrets } from "#kit/text/unsafe-text.ts";
import type { Command, OptionSpec, RawOptions } from "../command.ts";
import { type ResolvedConfig, resolveConfig, namedFileFaults } from "../configured-arguments.ts";
import { environmentOptions, isDisabled, setVariable, namedConfig } from "../environment.ts";
import { expandPaths } from "../values.ts";
import type { ConfigCommandOptions } from "./options.ts";

const noServer = [""];

/** Throws UserError for a mistake in a variable, or in the file that the options name. */
export async function configReport(
  run: Command,
  { server, config, command }: Pick<ConfigCommandOptions, "server" | "config" | "command">,
  { env, platform }: Pick<Io, "env" | "platform">,
): Promise<ConfigReport> {
  const given = { ...withValue("server", server), ...withValue("config", config) };
  const all = { ...environmentOptions(run.options, env), ...given };
  const explicit = expandPaths(run.options, all, env);
  const places = configPlaces(namedConfig(explicit, given), env, systemConfigFolder(platform));
  const words = { operands: [], child: command ?? noServer };
  const line = { command: run, words, explicit, places };
  const resolved = resolveConfig(line, env);
  const unusable = await namedFileFaults({ line, resolved }, env);
  return {
    schema_version: "1.0",
    server: resolved.server ?? null,
    files: places.map(shownFile),
    servers: serversIn(resolved.configs),
    options: shownOptions(run, { ...resolved, explicit: left(explicit, resolved) }, env),
    mistakes: [
      ...resolved.mistakes.map(({ file, fault }) => ({ file, fault: inWords(maskSecrets(fault)) })),
      ...unusable.map(({ place, option, failure }) => ({
        file: place,
        fault: `${option.replaceAll("-", "_")}: ${failure}`,
      })),
    ],
    is_disabled: isDisabled(env) && !locksDisable(resolved.policy),
  };
}

function left(explicit: RawOptions, { overridden }: ResolvedConfig): RawOptions {
  const lost = new Set(overridden.map((name) => name.replaceAll("_", "-")));
  return Object.fromEntries(Object.entries(explicit).filter(([name]) => !lost.has(name)));
}

function withValue(name: string, value: string | undefined): RawOptions {
  return value === undefined ? {} : { [name]: value };
}

function shownFile(place: ConfigPlace): ShownConfigFile {
  return { file: place.file, kind: place.kind, is_present: isOccupied(place) };
}

type Sources = {
  readonly options: RawOptions;
  readonly explicit: RawOptions;
  readonly merged: MergedConfig;
  readonly policy: Policy | undefined;
};

function shownOptions(
  { options }: Command,
  sources: Sources,
  env: Io["env"],
): readonly ShownOption[] {
  const names = Object.keys(options).filter(
    (name) => name !== "config" && name !== "server" && options[name]?.isFlagOnly !== true,
  );
  return names.flatMap((option) => {
    const spec = options[option];
    const locked = option === "budget" ? lockedBudgetRows(sources) : [];
    const shown = spec?.isSecret === true ? masked(option, sources) : shownValue(option, sources);
    const isLocked = option !== "budget" && sources.policy?.locked.has(option) === true;
    const base = {
      option,
      file: null,
      section: null,
      variable: null,
      is_locked: isLocked,
    } as const;
    if (shown === undefined) {
      return locked.length > 0 ? locked : { ...base, value: defaultOf(spec), source: "default" };
    }
    const variable =
      sources.explicit[option] === undefined ? undefined : spec && setVariable(option, spec, env);
    if (variable !== undefined)
      return [...locked, { ...base, value: shown, source: "variable", variable }];
    return [...locked, { ...base, value: shown, ...fileOf(memberName(option), sources) }];
  });
}

function lockedBudgetRows(sources: Sources): readonly ShownOption[] {
  const json = sources.options[lockedBudgets];
  if (json === undefined) return [];
  const place = { variable: null, ...fileOf(lockedBudgets, sources) };
  return [{ option: "budget", value: budgetSpecs(json), is_locked: true, ...place }];
}

function fileOf(
  member: string,
  { merged }: Sources,
): Pick<ShownOption, "source" | "file" | "section"> {
  const origin = merged.get(member)?.origin;
  return { source: "file", file: origin?.file ?? null, section: origin?.section ?? null };
}

function shownValue(
  option: string,
  { options, explicit }: Sources,
): ShownOption["value"] | undefined {
  const isSpec = option === "budget" && explicit[option] === undefined;
  const value = isSpec ? options["budgets"] : options[option];
  if (value === undefined) return undefined;
  if (isSpec) return budgetSpecs(value);
  if (typeof value === "boolean") return value;
  return typeof value === "string" ? maskSecrets(value) : value.map(maskSecrets);
}

/** A shell command may contain keys in any form. */
function masked(option: string, { options }: Sources): ShownOption["value"] | undefined {
  return options[option] === undefined ? undefined : mask;
}

function defaultOf(spec: OptionSpec | undefined): ShownOption["value"] {
  return spec?.value === undefined ? false : (spec.default ?? null);
}

function budgetSpecs(json: RawOptions[string]): readonly string[] {
  const rows: readonly RawBudget[] = typeof json === "string" ? JSON.parse(json) : [];
  return rows.map((row) => makeBudget(row, actionRules).spec);
}

function memberName(option: string): string {
  return option === "budget" ? "budgets" : option;
}
