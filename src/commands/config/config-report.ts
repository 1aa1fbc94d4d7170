import { actionRules } from "#meter/actions/action-rules.ts";
import { makeBudget, type RawBudget } from "#meter/budgets/budget.ts";
import type { ClientId } from "#clients/ids.ts";
import { clients } from "#clients/index.ts";
import { countWordsBeforeServer, findMeterWord, findServers } from "#clients/configured-entries.ts";
import { fillPlaceholders, findLaunchRule, readVariables } from "#clients/launch-rules.ts";
import { readClientFile } from "#state/storage/clients/read-settings.ts";
import type { SettingsFile } from "#state/storage/clients/find-settings.ts";
import { findHomeFolder } from "#state/storage/folders.ts";
import { readWords } from "../parse-command-line.ts";
import { findTargets } from "../wrap/find-targets.ts";
import { exitCodes, UserError } from "#kit/errors.ts";
import type { Io, Ending } from "#kit/io.ts";
import {
  type ConfigReport,
  type ShownOption,
  buildConfigDocument,
} from "#screens/renderers/documents/config.ts";
import { mustBeRead } from "#state/storage/config/config-locations.ts";
import { lockedBudgetsOption } from "#meter/budgets/gate-options.ts";
import { locksDisable, type Policy } from "#state/storage/config/policy.ts";
import { type MergedConfig, listServers } from "#state/storage/config/read-configs.ts";
import { mask, maskSecrets } from "#kit/text/mask-secrets.ts";
import type { RawOptions } from "../command.ts";
import { type ResolvedConfig, makeRunCommandLine, resolveConfig } from "../apply-config-files.ts";
import { isDisabled } from "../disable-switch.ts";
import { findNonEmptyVariable } from "../environment-variables.ts";
import type { DocumentFormat } from "#screens/renderers/formats.ts";
import { render } from "#screens/renderers/index.ts";
import { printOutput, type Output } from "../output/output-options.ts";
import { findNamedFileFaults } from "./option-file-faults.ts";
import { runCommand } from "../run/index.ts";
import { configuredServersMax } from "#lock/setup-report.ts";
import { describeReason } from "#kit/sentences.ts";
import { findNearestName } from "#kit/text/match-names.ts";
import { Teller } from "#kit/text/teller.ts";
import { commandSentences } from "../sentences.ts";

export type ConfigCommandOptions = Output<DocumentFormat> & {
  readonly server: string | undefined;
  readonly config: string | undefined;
  readonly command: readonly string[] | undefined;
};

type Machine = Pick<Io, "env" | "platform">;

export async function reportConfig(
  { server, config, command }: Pick<ConfigCommandOptions, "server" | "config" | "command">,
  machine: Machine,
): Promise<ConfigReport> {
  // A file that only the variable names is read leniently, as by a session.
  const isNamedByVariable = config !== undefined && config === machine.env["MCP_METER_CONFIG"];
  const configFlag = isNamedByVariable ? {} : makeRawOption("config", config);
  const askedFlags = { ...makeRawOption("server", server), ...configFlag };
  const report = await reportCommandLine({ flags: askedFlags, child: command }, machine);
  const entries =
    server === undefined || command !== undefined ? [] : findWrappedEntries(machine, server);
  if (entries.length === 0) return report;
  const mistakes: ConfigReport["mistakes"][number][] = [];
  const clientReports: ClientReport[] = [];
  for (const entry of entries) {
    try {
      const { flags: entryFlags } = readWords(entry.words, runCommand.options, "run");
      const flags = { ...entryFlags, ...configFlag };
      const configured = { flags, child: entry.child, entry };
      const clientReport = await reportCommandLine(configured, machine);
      clientReports.push({ client: entry.client, report: clientReport });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      mistakes.push({ file: entry.file, fault: describeReason(maskSecrets(error.message)) });
    }
  }
  const reports = clientReports.map((clientReport) => clientReport.report);
  return {
    ...report,
    files:
      reports.length === 0 ? report.files : dropDuplicates(reports.flatMap(({ files }) => files)),
    clients: entries.map(({ client, file }) => ({ client, file })),
    options: mergeRows(clientReports),
    mistakes: dropDuplicates([
      ...mistakes,
      ...reports.flatMap((clientReport) => clientReport.mistakes),
    ]),
    is_disabled: reports.some((clientReport) => clientReport.is_disabled),
  };
}

type ClientReport = { readonly client: ClientId; readonly report: ConfigReport };

type WrappedEntry = SettingsFile & {
  readonly names: readonly string[];
  // The options of mcp-meter in the entry.
  readonly words: readonly string[];
  readonly env: Readonly<{ [name: string]: string }>;
  readonly child: readonly string[];
};

function findWrappedEntries(machine: Machine, server: string): readonly WrappedEntry[] {
  const entries = listWrappedEntries(machine).filter(({ names }) => names.includes(server));
  return entries.slice(0, configuredServersMax);
}

function listWrappedEntries({ env, platform }: Machine): readonly WrappedEntry[] {
  const home = findHomeFolder(env);
  if (home === undefined) return [];
  const selection = { clients: [], file: undefined, project: undefined, action: "list" } as const;
  return findTargets(selection, { env, platform }).flatMap(({ client, file }) => {
    const read = readClientFile(file, clients[client].language);
    if (read === undefined || "fault" in read) return [];
    const fill = (text: string): string => {
      const values = { env, home, project: undefined };
      const filled = fillPlaceholders(text, findLaunchRule(client).placeholders, values);
      return "text" in filled ? filled.text : text;
    };
    return findServers(clients[client], read.value).flatMap(({ rawName, command = [], entry }) => {
      const serverAt = countWordsBeforeServer(command);
      if (serverAt === undefined) return [];
      const meterCommand = command.slice(0, serverAt - 1).map(fill);
      const words = meterCommand.slice(meterCommand.indexOf(findMeterWord(meterCommand) ?? "") + 1);
      const names = [rawName, readServerName(words) ?? rawName];
      const variables = readVariables(entry).map(([name, value]) => [name, fill(value)] as const);
      const child = command.slice(serverAt).map(fill);
      return [{ client, file, names, words, child, env: Object.fromEntries(variables) }];
    });
  });
}

function readServerName(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^--server(?:=|$)/.test(word));
  return words[at] === "--server" ? words[at + 1] : words[at]?.slice("--server=".length);
}

type ConfiguredRun = {
  readonly flags: RawOptions;
  readonly child: readonly string[] | undefined;
  readonly entry?: WrappedEntry;
};

async function reportCommandLine(
  { flags, child, entry }: ConfiguredRun,
  { env: processEnv, platform }: Machine,
): Promise<ConfigReport> {
  const env = { ...processEnv, ...entry?.env };
  const commandLine = makeRunCommandLine({ env, platform }, flags, child);
  const { explicit, configLocations } = commandLine;
  const resolved = resolveConfig(commandLine, env);
  const fileFaults = await findNamedFileFaults({ commandLine, resolved }, env);
  const sources = {
    ...resolved,
    explicit: dropOverridden(explicit, resolved),
    flags,
    entry,
  };
  return {
    schema_version: "1.0",
    server: resolved.server ?? null,
    files: configLocations.map((location) => ({
      file: location.file,
      kind: location.kind,
      is_present: mustBeRead(location),
    })),
    servers: listServers(resolved.configs),
    clients: [],
    options: describeOptions(sources, env),
    mistakes: [
      ...resolved.mistakes.map(({ file, fault }) => ({
        file,
        fault: describeReason(maskSecrets(fault)),
      })),
      ...fileFaults.map(({ source, option, failure }) => ({
        file: flags[option] === undefined ? source : (entry?.file ?? source),
        fault: `${option.replaceAll("-", "_")}: ${failure}`,
      })),
    ],
    is_disabled: isDisabled(env) && !locksDisable(resolved.policy),
  };
}

// If the rows of an option differ between clients, each row names its client.
function mergeRows(clientReports: readonly ClientReport[]): readonly ShownOption[] {
  const names = new Set(
    clientReports.flatMap(({ report }) => report.options.map(({ option }) => option)),
  );
  return [...names].flatMap((name): readonly ShownOption[] => {
    const groups = clientReports.map(({ client, report }) => ({
      client,
      rows: report.options.filter(({ option }) => option === name),
    }));
    const [first = [], ...different] = dropDuplicates(groups.map(({ rows }) => rows));
    if (different.length === 0) return first;
    return dropDuplicates(
      groups.flatMap(({ client, rows }) => rows.map((row) => ({ ...row, client }))),
    );
  });
}

function dropDuplicates<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
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

type Sources = {
  readonly options: RawOptions;
  readonly explicit: RawOptions; // from flags and variables
  readonly merged: MergedConfig;
  readonly policy: Policy | undefined;
  readonly flags: RawOptions;
  readonly entry: WrappedEntry | undefined;
};

function describeOptions(sources: Sources, env: Io["env"]): readonly ShownOption[] {
  const { options } = runCommand;
  const isShown = (name: string): boolean =>
    options[name]?.isCommandLineOnly !== true || sources.flags[name] !== undefined;
  const names = Object.keys(options).filter(
    (name) => name !== "config" && name !== "server" && isShown(name),
  );
  return names.flatMap((option) => {
    const spec = options[option];
    const lockedRows = option === "budget" ? listLockedBudgets(sources) : [];
    const shown = showValue(option, sources, spec?.isSecret === true);
    const isLocked = option !== "budget" && sources.policy?.locked.has(option) === true;
    const row = { option, ...noOrigin, is_locked: isLocked } as const;
    if (shown !== undefined) {
      const variable = spec && findNonEmptyVariable(option, spec, env);
      return [...lockedRows, { ...row, value: shown, ...findOrigin(option, sources, variable) }];
    }
    if (lockedRows.length > 0) return lockedRows;
    const value = spec?.value === undefined ? false : (spec.default ?? null);
    return [{ ...row, value, source: "default" }];
  });
}

function listLockedBudgets(sources: Sources): readonly ShownOption[] {
  const json = sources.options[lockedBudgetsOption];
  if (json === undefined) return [];
  const row = { option: "budget", value: formatBudgets(json), is_locked: true } as const;
  return [{ ...row, ...noOrigin, ...findFileOrigin(lockedBudgetsOption, sources) }];
}

type Origin = Pick<ShownOption, "source" | "file" | "section" | "variable" | "client">;

const noOrigin = { file: null, section: null, variable: null, client: null } as const;

function findOrigin(
  option: string,
  sources: Sources,
  variable: string | undefined,
): Pick<Origin, "source"> & Partial<Origin> {
  const { explicit, flags, entry } = sources;
  if (explicit[option] === undefined)
    return findFileOrigin(option === "budget" ? "budgets" : option, sources);
  const settings = entry && { file: entry.file, client: entry.client };
  if (flags[option] !== undefined) return { source: "settings", ...settings };
  const isInSettings = variable !== undefined && entry?.env[variable] !== undefined;
  return { source: "variable", variable: variable ?? null, ...(isInSettings ? settings : {}) };
}

function findFileOrigin(
  member: string,
  { merged }: Sources,
): Pick<Origin, "source" | "file" | "section"> {
  const origin = merged.get(member)?.origin;
  return { source: "file", file: origin?.file ?? null, section: origin?.section ?? null };
}

function showValue(
  option: string,
  { options, explicit }: Sources,
  isSecret: boolean,
): ShownOption["value"] | undefined {
  const isBudgetList = option === "budget" && explicit[option] === undefined;
  const value = isBudgetList ? options["budgets"] : options[option];
  if (value === undefined) return undefined;
  // Masks the whole value: a shell command, for example, may contain secrets in any form.
  if (isSecret) return mask;
  if (isBudgetList) return formatBudgets(value);
  if (typeof value === "boolean") return value;
  return typeof value === "string" ? maskSecrets(value) : value.map(maskSecrets);
}

function formatBudgets(json: RawOptions[string]): readonly string[] {
  const rows: readonly RawBudget[] = typeof json === "string" ? JSON.parse(json) : [];
  return rows.map((row) => makeBudget(row, actionRules).spec);
}

function tellUnknownServer(
  { server, command }: ConfigCommandOptions,
  { clients: clientsWithServer, servers }: ConfigReport,
  io: Io,
): void {
  if (server === undefined || command !== undefined || clientsWithServer.length > 0) return;
  if (servers.includes(server)) return;
  const known = [...servers, ...listWrappedEntries(io).flatMap(({ names }) => names)];
  const nearest = findNearestName(server, known);
  new Teller(io.stderr).tell(commandSentences.serverUnknown(server, nearest));
}

export async function printConfig(options: ConfigCommandOptions, io: Io): Promise<Ending> {
  const report = await reportConfig(options, io);
  tellUnknownServer(options, report, io);
  const printout = { document: buildConfigDocument(report), data: report };
  await printOutput((page) => render(options.format, printout, page), options, io);
  return { code: report.mistakes.length === 0 ? exitCodes.ok : exitCodes.failed };
}
