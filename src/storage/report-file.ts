import { sentences, UserError } from "#errors.ts";
import { replaceFile } from "#os/replace-file.ts";

/** A report is read by other programs; the umask applies. */
const reportMode = 0o666;

/** The mode of a report that quotes settings, which may have secrets. */
export const privateReportMode = 0o600;

/** Writes a report as a whole; a new file gets the mode. Throws UserError that names the file. */
export function writeReportFile(file: string, text: string, mode: number = reportMode): void {
  const fault = replaceFile(file, text, mode);
  if (fault !== undefined) throw new UserError(sentences.reportUnwritable(file, fault));
}
