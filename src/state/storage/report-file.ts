import { UserError, tryParseJson } from "#kit/errors.ts";
import { replaceFile } from "#kit/os/write-file.ts";
import type { StoredProfile } from "#lock/profile.ts";
import type { SetupReport } from "#lock/setup-report.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { validateValue, type Validator } from "#kit/text/schema-mismatch.ts";
import { exceedsBounds } from "#wire/json.ts";
import { validate } from "../../../dist/validators/profile.js";
import { validate as validateSetup } from "../../../dist/validators/setup.js";
import { storageSentences } from "./sentences.ts";
import { lockBytesMax } from "./lock-file.ts";
import { commonSentences } from "#kit/sentences.ts";

// Other programs read reports, so only the umask restricts the mode.
const reportMode = 0o666;

// For reports that quote settings, which may hold secrets.
export const privateReportMode = 0o600;

export function writeReportFile(file: string, text: string, mode: number = reportMode): void {
  const fault = replaceFile(file, text, mode);
  if (fault !== undefined) throw new UserError(commonSentences.reportUnwritable(file, fault));
}

export function readProfileFile(file: string): StoredProfile {
  return readReport(file, validate, "-- <command>");
}

export function readSetupFile(file: string): SetupReport {
  return readReport(file, validateSetup, "--configured");
}

function readReport<Report>(file: string, validator: Validator<Report>, target: string): Report {
  const content = readWholeFile(file, lockBytesMax);
  if ("fault" in content) throw new UserError(commonSentences.fileUnreadable(file, content.fault));
  const read = parseReport(new TextDecoder().decode(content.bytes), validator);
  if ("value" in read) return read.value;
  throw new UserError(storageSentences.profileMalformed(file, read.fault, target));
}

function parseReport<Report>(
  text: string,
  validator: Validator<Report>,
): { readonly value: Report } | { readonly fault: string } {
  const value = tryParseJson(text);
  if (value === undefined) return { fault: "it is not valid JSON" };
  if (exceedsBounds(value, lockBytesMax)) return { fault: "it is nested too deeply" };
  return validateValue(value, validator);
}
