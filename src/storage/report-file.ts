import { sentences, UserError } from "#errors.ts";
import { replaceFile } from "#os/replace-file.ts";

/** A report is read by other programs; the umask applies. */
const reportMode = 0o666;

/** Writes a report as a whole. Throws UserError that names the file. */
export function writeReportFile(file: string, text: string): void {
  const fault = replaceFile(file, text, reportMode);
  if (fault !== undefined) throw new UserError(sentences.reportUnwritable(file, fault));
}
