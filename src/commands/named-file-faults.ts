import { isAbsolute } from "node:path";
import type { Io } from "#kit/io.ts";
import { maskSecrets } from "#kit/text/mask-secrets.ts";
import type { Command, RawOptions } from "./command.ts";
import type { ConfigurableLine, ResolvedConfig } from "./configured-arguments.ts";
import { setVariable } from "./environment.ts";
import { parseRunOptions, type RunOptions } from "./run/options.ts";
import { sentences, UserError } from "#kit/errors.ts";
import { replacementFault } from "#kit/os/replace-file.ts";
import { namesFile } from "#state/sinks/destinations.ts";
import { examineForAppend } from "#state/storage/open-for-append.ts";
import { examineSpillFolder } from "#state/storage/spill-file.ts";
import {
  isTolerated,
  type NamedPart,
  namedParts,
  type PreparedOptions,
  spillFolderOf,
} from "./run/preparation.ts";

export type NamedFileFault = PartFault & {
  readonly place: string;
  readonly isRelative: boolean;
};

export type Examined = {
  readonly line: ConfigurableLine & { readonly command: Pick<Command, "options" | "check"> };
  readonly resolved: ResolvedConfig;
};

/** Changes nothing. Masks secrets in failures. */
export async function namedFileFaults(
  { line, resolved }: Examined,
  env: Io["env"],
): Promise<readonly NamedFileFault[]> {
  const { options, implicit } = resolved;
  const given = parseRunOptions({ ...line.words, options, config: { implicit, faults: [] } });
  const faults = await examineParts(given);
  return faults.map((fault) => ({
    ...fault,
    ...describeFailure(fault, options[fault.option]),
    place: placeOf(fault.option, { line, resolved }, env),
  }));
}

function describeFailure(
  { failure }: PartFault,
  value: RawOptions[string],
): Pick<NamedFileFault, "failure" | "isRelative"> {
  const isRelative = typeof value === "string" && !isAbsolute(value);
  return { failure: `${maskSecrets(failure)}${isRelative ? relativeNote : ""}`, isRelative };
}

const relativeNote = "; the path is relative to the folder of each session";

export function placeOf(option: string, { line, resolved }: Examined, env: Io["env"]): string {
  const spec = line.command.options[option];
  const variable = isGiven(option, line.explicit) && spec && setVariable(option, spec, env);
  if (typeof variable === "string") return variable;
  const origin = resolved.merged.get(option)?.origin;
  return origin?.file ?? `--${option}`;
}

function isGiven(option: string, explicit: RawOptions): boolean {
  return explicit[option] !== undefined;
}

type PartFault = {
  readonly option: NamedPart | "log" | "summary-file";
  readonly failure: string;
  /** A session does not start, starts without the option, or cannot write. */
  readonly effect: "stops" | "ignored" | "unwritten";
};

async function examineParts(
  given: PreparedOptions & Pick<RunOptions, "summary" | "summaryFile">,
): Promise<readonly PartFault[]> {
  const { lock, prices, calibration } = namedParts(given);
  const { log, summary, summaryFile } = given;
  const parts = [
    ["lock", lock],
    ["spill-dir", () => ifNamed(spillFolderOf(given), examineSpillFolder)],
    ["prices", prices],
    ["calibration", calibration],
    ["log", () => ifNamed(log !== undefined && namesFile(log) ? log : undefined, examineForAppend)],
    ["summary-file", () => ifNamed(summary === "off" ? undefined : summaryFile, examineSummary)],
  ] as const;
  const faults: PartFault[] = [];
  for (const [option, open] of parts) {
    const failure = await failureOf(open);
    if (failure !== undefined) faults.push({ option, failure, effect: effectOf(option, given) });
  }
  return faults;
}

function ifNamed(path: string | undefined, examine: (path: string) => unknown): void {
  if (path !== undefined) examine(path);
}

function examineSummary(file: string): void {
  const fault = replacementFault(file);
  if (fault !== undefined) throw new UserError(sentences.summaryUnwritable(file, fault));
}

async function failureOf(open: () => unknown): Promise<string | undefined> {
  try {
    await open();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  }
}

function effectOf(option: PartFault["option"], given: PreparedOptions): PartFault["effect"] {
  if (option === "log" || option === "summary-file") return "unwritten";
  return isTolerated(option, given) ? "ignored" : "stops";
}
