import type { Io } from "#kit/io.ts";
import { mayColor } from "#kit/os/output.ts";
import type { TerminalOptions } from "#screens/renderers/terminal.ts";
import { writeReportFile } from "#state/storage/report-file.ts";
import { refuseMissingFolders } from "../refuse-overwrites.ts";
import type { Output } from "./output-options.ts";

type Place = Omit<Output<never>, "format"> & {
  readonly mode?: number;
};

/** Prints a text made for its page: a terminal, which it must fit, a pipe, or the file of `--output`. Throws UserError when it cannot be written. */
export async function printOutput(
  make: (page: TerminalOptions) => string,
  place: Place,
  io: Pick<Io, "stdout" | "env">,
): Promise<void> {
  const text = make(await outputPage(place, io));
  if (place.output === undefined) io.stdout.write(text);
  else writeReportFile(place.output, text, place.mode);
}

/** Throws UserError before a command changes anything. */
export function rejectMissingFolder({ output }: Pick<Place, "output">): void {
  refuseMissingFolders(output === undefined ? [] : [output]);
}

/** The page of stdout, or of a file, which has neither colors nor a width. */
export async function outputPage(
  { output, isWide }: Place,
  { stdout, env }: Pick<Io, "stdout" | "env">,
): Promise<TerminalOptions> {
  if (output !== undefined) return { color: false };
  return {
    color: mayColor(stdout, env),
    columns: stdout.isTerminal && !isWide ? await stdout.measureColumns() : undefined,
  };
}
