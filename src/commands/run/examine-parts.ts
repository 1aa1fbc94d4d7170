import { sentences, UserError } from "#errors.ts";
import { replacementFault } from "#os/replace-file.ts";
import { namesFile } from "#sinks/destinations.ts";
import { examineForAppend } from "#storage/open-for-append.ts";
import { examineSpillFolder } from "#storage/spill-file.ts";
import {
  isTolerated,
  type NamedPart,
  namedParts,
  type PreparedOptions,
  spillFolderOf,
} from "./named-parts.ts";
import type { RunOptions } from "./options.ts";

export type PartFault = {
  readonly option: NamedPart | "log" | "summary-file";
  readonly failure: string;
  /** A session does not start, starts without the option, or cannot write. */
  readonly effect: "stops" | "ignored" | "unwritten";
};

export async function examineParts(
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
