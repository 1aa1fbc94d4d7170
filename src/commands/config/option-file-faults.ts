import { isAbsolute } from "node:path";
import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { findReplaceFault } from "#kit/os/write-file.ts";
import { commonSentences } from "#kit/sentences.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import { lockedBudgetsOption } from "#meter/budgets/gate-options.ts";
import { examineForAppend } from "#state/storage/record-file.ts";
import { examineSpillFolder } from "#state/storage/spill-file.ts";
import type { RawOptions } from "../command.ts";
import type { CommandLine, ResolvedConfig } from "../apply-config-files.ts";
import { findNonEmptyVariable } from "../environment-variables.ts";
import { type MeteringOptions, parseRunOptions, type RunOptions } from "../run/options.ts";
import {
  chooseSpillFolder,
  isFaultTolerated,
  makeFileReaders,
  type PreparedOption,
  namesFile,
  rejectUnpricedBudgets,
} from "../run/preparation.ts";

export type NamedFileFault = FileFault & {
  readonly source: string;
  readonly isRelativePath: boolean;
};

export type ExaminedConfig = {
  readonly commandLine: CommandLine;
  readonly resolved: ResolvedConfig;
};

// Finds budgets without a price, and files that are named in options but that sessions could not use. Changes no file.
export async function findNamedFileFaults(
  { commandLine, resolved }: ExaminedConfig,
  env: Io["env"],
): Promise<readonly NamedFileFault[]> {
  const { options, implicit, overridden } = resolved;
  const config = { implicit, overridden, faults: [] };
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
    commandLine.explicit[option] !== undefined && spec && findNonEmptyVariable(option, spec, env);
  if (typeof variable === "string") return variable;
  const members = option === "budget" ? [lockedBudgetsOption, "budgets"] : [option];
  const entry = members.map((name) => resolved.merged.get(name)).find(Boolean);
  return entry?.origin.file ?? `--${option}`;
}

type FileFault = {
  readonly option: PreparedOption | "budget" | "log" | "summary-file";
  readonly failure: string;
  // "stops": sessions do not start. "ignored": they ignore the option. "unwritten": they do not write the file.
  readonly effect: "stops" | "ignored" | "unwritten";
};

async function examineNamedFiles(
  options: MeteringOptions & Pick<RunOptions, "summary" | "summaryFile">,
): Promise<readonly FileFault[]> {
  const { lock, prices, calibration } = makeFileReaders(options);
  const { log, summary, summaryFile } = options;
  const examinations = [
    ["lock", lock],
    ["spill-dir", () => examineIfNamed(chooseSpillFolder(options), examineSpillFolder)],
    ["prices", prices],
    ["budget", () => rejectUnpricedBudgets({ ...options, ...noToleratedBudgets })],
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
    if (option === "budget" && arePricesUnknown(faults, options)) continue;
    const failure = await catchFailure(examine);
    if (failure !== undefined)
      faults.push({ option, failure, effect: await predictEffect(option, options) });
  }
  return faults;
}

// Sessions ignore an unpriced budget from a config file that --config does not name. Here, such a budget is a fault.
// Unreadable prices are tolerated here, because they are reported as a separate fault.
const noToleratedBudgets = { implicit: new Set(["prices"]), lockedBudgets: [], overridden: [] };

// True if a fault in the prices stops every session, or may depend on the folder of a session.
function arePricesUnknown(
  faults: readonly FileFault[],
  { priceFile = "" }: Pick<MeteringOptions, "priceFile">,
): boolean {
  const fault = faults.find(({ option }) => option === "prices");
  return fault !== undefined && (fault.effect === "stops" || !isAbsolute(priceFile));
}

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

async function predictEffect(
  option: FileFault["option"],
  options: MeteringOptions,
): Promise<FileFault["effect"]> {
  if (option === "log" || option === "summary-file") return "unwritten";
  if (option === "budget") {
    const failure = await catchFailure(() => rejectUnpricedBudgets(options));
    return failure === undefined ? "ignored" : "stops";
  }
  return isFaultTolerated(option, options) ? "ignored" : "stops";
}
