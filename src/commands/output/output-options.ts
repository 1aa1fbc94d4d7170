import { exitCodes, UserError } from "#kit/errors.ts";
import type { OptionSpecs, RawOptions } from "../command.ts";
import { makeConflict, parseChoice, readFlag, readText } from "../option-values.ts";
import { commandSentences } from "../sentences.ts";
import type { Ending, Io } from "#kit/io.ts";
import type { Tell } from "#kit/text/teller.ts";
import { mayColor } from "#kit/os/standard-streams.ts";
import type { TerminalOptions } from "#screens/renderers/terminal.ts";
import { findReplaceFault } from "#kit/os/write-file.ts";
import { commonSentences } from "#kit/sentences.ts";

export type OutputTarget = {
  readonly output: string | undefined; // a file; undefined for stdout
  readonly isWide: boolean;
};

export type Output<Format extends string> = OutputTarget & { readonly format: Format };

export const printOptionSpecs = {
  json: { description: "same as --format json" },
  output: {
    value: "FILE",
    description: "write to a file instead of stdout",
    short: "o",
    isPath: true,
    isCommandLineOnly: true,
  },
  wide: { description: "print all columns, and names in full" },
} satisfies OptionSpecs;

export function makeOutputSpecs(formats: readonly string[]): OptionSpecs {
  return {
    format: {
      value: "FORMAT",
      description: `output format: ${formats.join(", ")}`,
      default: "table",
      choices: formats,
    },
    ...printOptionSpecs,
  };
}

export function parseOutput<const Format extends string>(
  options: RawOptions,
  formats: readonly Format[],
): Output<Format | "table" | "json"> {
  const format = parseChoice(options, "format", formats);
  rejectJsonConflict(options, format);
  return {
    format: readFlag(options, "json") ? "json" : (format ?? "table"),
    ...parseOutputTarget(options),
  };
}

export function rejectJsonConflict(options: RawOptions, format: string | undefined): void {
  if (!readFlag(options, "json") || format === undefined || format === "json") return;
  throw makeConflict(`--format ${format}`, "--json");
}

export function parseOutputTarget(options: RawOptions): OutputTarget {
  const file = readText(options, "output");
  return { output: file === "-" ? undefined : file, isWide: readFlag(options, "wide") };
}

export async function printOutput(
  renderText: (page: TerminalOptions) => string,
  target: OutputTarget & { readonly mode?: number },
  io: Pick<Io, "stdout" | "env">,
): Promise<void> {
  const text = renderText(await measurePage(target, io.stdout, io.env));
  if (target.output === undefined) {
    io.stdout.write(text);
    return;
  }
  // With a static import, `run` would load the schemas of reports too.
  const { writeReportFile } = await import("#state/storage/report-file.ts");
  writeReportFile(target.output, text, target.mode);
}

export function judgeTotals(
  totals: readonly (readonly [subject: string, tokens: number])[],
  tokensMax: number = Infinity,
  tell: Tell,
): Ending {
  const excess = totals.filter(([, tokens]) => tokens > tokensMax);
  for (const [subject, tokens] of excess)
    tell(commandSentences.overTotal(subject, tokens, tokensMax));
  return { code: excess.length > 0 ? exitCodes.failed : exitCodes.ok };
}

// Call this before the command changes anything. Throws UserError if the file cannot be written.
export function rejectUnwritableOutput({ output }: Pick<OutputTarget, "output">): void {
  rejectUnwritableFiles(output === undefined ? [] : [output]);
}

export function rejectUnwritableFiles(files: readonly string[]): void {
  for (const file of files) {
    const fault = findReplaceFault(file);
    if (fault !== undefined) throw new UserError(commonSentences.reportUnwritable(file, fault));
  }
}

export async function measurePage(
  { output, isWide }: OutputTarget,
  stream: Io["stdout"],
  env: Io["env"],
): Promise<TerminalOptions> {
  if (output !== undefined) return { color: false };
  return {
    color: mayColor(stream, env),
    columns: stream.isTerminal && !isWide ? await stream.measureColumns() : undefined,
  };
}
