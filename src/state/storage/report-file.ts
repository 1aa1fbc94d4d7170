import { sentences, UserError } from "#kit/errors.ts";
import { replaceFile } from "#kit/os/replace-file.ts";

/** Other programs read a report; the umask applies. */
const reportMode = 0o666;

/** For a report that quotes settings, which may have secrets. */
export const privateReportMode = 0o600;

export function writeReportFile(file: string, text: string, mode: number = reportMode): void {
  const fault = replaceFile(file, text, mode);
  if (fault !== undefined) throw new UserError(sentences.reportUnwritable(file, fault));
}
