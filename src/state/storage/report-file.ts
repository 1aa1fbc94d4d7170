import { sentences, UserError } from "#kit/errors.ts";
import { replaceFile } from "#kit/os/replace-file.ts";
import { nestingMax } from "#kit/limits.ts";
import { lockBytesMax } from "../limits.ts";
import type { EarlierProfile } from "#lock/profile.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { validateValue } from "#kit/text/validation.ts";
import { exceedsBounds } from "#wire/json.ts";
import { validate } from "../../../dist/validators/profile.js";
import { storageSentences } from "./sentences.ts";

// Other programs read reports; the umask applies.
const reportMode = 0o666;

// For reports that quote settings, which may hold secrets.
export const privateReportMode = 0o600;

export function writeReportFile(file: string, text: string, mode: number = reportMode): void {
  const fault = replaceFile(file, text, mode);
  if (fault !== undefined) throw new UserError(sentences.reportUnwritable(file, fault));
}

export function readProfileFile(file: string): EarlierProfile {
  const content = readWholeFile(file, lockBytesMax);
  if ("fault" in content) throw new UserError(sentences.fileUnreadable(file, content.fault));
  const value = parseProfile(file, new TextDecoder().decode(content.bytes));
  const read = validateValue(value, validate);
  if ("fault" in read) throw new UserError(storageSentences.profileMalformed(file, read.fault));
  return read.value;
}

function parseProfile(file: string, text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UserError(storageSentences.profileMalformed(file, "it is not valid JSON"));
  }
  const bounds = { levelsMax: nestingMax, sizeMax: lockBytesMax };
  if (!exceedsBounds(value, bounds)) return value;
  throw new UserError(storageSentences.profileMalformed(file, "it is nested too deeply"));
}
