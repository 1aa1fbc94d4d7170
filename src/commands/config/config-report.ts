import { actionRules } from "#meter/actions/rules.ts";
import { makeBudget, type RawBudget } from "#meter/budgets/budget.ts";
import { describeReason, exitCodes } from "#kit/errors.ts";
import type { Io, Ending } from "#kit/io.ts";
import {
  type ConfigReport,
  type ShownConfigFile,
  type ShownOption,
  buildConfigDocument,
} from "#screens/renderers/documents/config.ts";
import { type ConfigLocation, isPresent } from "#state/storage/config/config-locations.ts";
import { lockedBudgets } from "#meter/budgets/gate-options.ts";
import { locksDisable, type Policy } from "#state/storage/config/policy.ts";
import { type MergedConfig, listServers } from "#state/storage/config/read-configs.ts";
import { mask, maskSecrets } from "#kit/text/secrets.ts";
import type { Command, OptionSpec, RawOptions } from "../command.ts";
import {
  type ResolvedConfig,
  makeRunLine,
  resolveConfig,
  findNamedFileFaults,
} from "../configured-arguments.ts";
import { isDisabled, findSetVariable } from "../environment.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { render } from "#screens/renderers/index.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import { runCommand } from "../run/index.ts";

export type ConfigCommandOptions = Output<DocumentFormat> & {
  readonly server: string | undefined;
  readonly config: string | undefined;
  readonly command: readonly string[] | undefined;
};

export async function reportConfig(
  run: Command,
  { server, config, command }: Pick<ConfigCommandOptions, "server" | "config" | "command">,
  { env, platform }: Pick<Io, "env" | "platform">,
): Promise<ConfigReport> {
  const named = { ...makeRawOption("server", server), ...makeRawOption("config", config) };
  const line = makeRunLine(run, { env, platform }, named, command);
  const { explicit, configLocations } = line;
  const resolved = resolveConfig(line, env);
  const fileFaults = await findNamedFileFaults({ line, resolved }, env);
  return {
    schema_version: "1.0",
    server: resolved.server ?? null,
    files: configLocations.map(describeFile),
    servers: listServers(resolved.configs),
    options: describeOptions(
      run,
      { ...resolved, explicit: dropOverridden(explicit, resolved) },
      env,
    ),
    mistakes: [
      ...resolved.mistakes.map(({ file, fault }) => ({
        file,
        fault: describeReason(maskSecrets(fault)),
      })),
      ...fileFaults.map(({ source, option, failure }) => ({
        file: source,
        fault: `${option.replaceAll("-", "_")}: ${failure}`,
      })),
    ],
    is_disabled: isDisabled(env) && !locksDisable(resolved.policy),
  };
}

function dropOverridden(explicit: RawOptions, { overridden }: ResolvedConfig): RawOptions {
  const overriddenNames = new Set(overridden.map((name) => name.replaceAll("_", "-")));
  return Object.fromEntries(
    Object.entries(explicit).filter(([name]) => !overriddenNames.has(name)),
  );
}

function makeRawOption(name: string, value: string | undefined): RawOptions {
  return value === undefined ? {} : { [name]: value };
}

function describeFile(location: ConfigLocation): ShownConfigFile {
  return { file: location.file, kind: location.kind, is_present: isPresent(location) };
}

type Sources = {
  readonly options: RawOptions;
  readonly explicit: RawOptions;
  readonly merged: MergedConfig;
  readonly policy: Policy | undefined;
};

function describeOptions(
  { options }: Command,
  sources: Sources,
  env: Io["env"],
): readonly ShownOption[] {
  const names = Object.keys(options).filter(
    (name) => name !== "config" && name !== "server" && options[name]?.isCommandLineOnly !== true,
  );
  return names.flatMap((option) => {
    const spec = options[option];
    const lockedRows = option === "budget" ? listLockedBudgets(sources) : [];
    const shown = spec?.isSecret === true ? maskValue(option, sources) : showValue(option, sources);
    const isLocked = option !== "budget" && sources.policy?.locked.has(option) === true;
    const base = {
      option,
      file: null,
      section: null,
      variable: null,
      is_locked: isLocked,
    } as const;
    if (shown === undefined) {
      return lockedRows.length > 0
        ? lockedRows
        : { ...base, value: readDefault(spec), source: "default" };
    }
    const variable =
      sources.explicit[option] === undefined
        ? undefined
        : spec && findSetVariable(option, spec, env);
    if (variable !== undefined)
      return [...lockedRows, { ...base, value: shown, source: "variable", variable }];
    return [...lockedRows, { ...base, value: shown, ...findOrigin(toMemberName(option), sources) }];
  });
}

function listLockedBudgets(sources: Sources): readonly ShownOption[] {
  const json = sources.options[lockedBudgets];
  if (json === undefined) return [];
  const origin = { variable: null, ...findOrigin(lockedBudgets, sources) };
  return [{ option: "budget", value: formatBudgets(json), is_locked: true, ...origin }];
}

function findOrigin(
  member: string,
  { merged }: Sources,
): Pick<ShownOption, "source" | "file" | "section"> {
  const origin = merged.get(member)?.origin;
  return { source: "file", file: origin?.file ?? null, section: origin?.section ?? null };
}

function showValue(
  option: string,
  { options, explicit }: Sources,
): ShownOption["value"] | undefined {
  const isBudgetList = option === "budget" && explicit[option] === undefined;
  const value = isBudgetList ? options["budgets"] : options[option];
  if (value === undefined) return undefined;
  if (isBudgetList) return formatBudgets(value);
  if (typeof value === "boolean") return value;
  return typeof value === "string" ? maskSecrets(value) : value.map(maskSecrets);
}

// A shell command may contain keys in any form.
function maskValue(option: string, { options }: Sources): ShownOption["value"] | undefined {
  return options[option] === undefined ? undefined : mask;
}

function readDefault(spec: OptionSpec | undefined): ShownOption["value"] {
  return spec?.value === undefined ? false : (spec.default ?? null);
}

function formatBudgets(json: RawOptions[string]): readonly string[] {
  const rows: readonly RawBudget[] = typeof json === "string" ? JSON.parse(json) : [];
  return rows.map((row) => makeBudget(row, actionRules).spec);
}

function toMemberName(option: string): string {
  return option === "budget" ? "budgets" : option;
}

export async function printConfig(options: ConfigCommandOptions, io: Io): Promise<Ending> {
  const report = await reportConfig(runCommand, options, io);
  const printout = { document: buildConfigDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: report.mistakes.length === 0 ? exitCodes.ok : exitCodes.failed };
}
