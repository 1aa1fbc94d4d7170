import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { UserError } from "#kit/errors.ts";
import type { Calibration } from "#tokens/estimators/calibration.ts";
import { validate } from "../../../dist/validators/calibration.js";
import { replaceFile } from "#kit/os/replace-file.ts";
import { storageSentences } from "./sentences.ts";
import { readWholeFile } from "#kit/os/open-file.ts";
import { makePositionFinder } from "#kit/syntax/syntax-tree.ts";
import { validateValue, type Validator } from "#kit/text/validation.ts";
import { parseJsonc } from "#kit/syntax/jsonc.ts";
import { configBytesMax } from "./config/config-file.ts";

export function readCalibrationFile(file: string): Calibration {
  const read = readCheckedFile(file, validate);
  if ("fault" in read) throw new UserError(storageSentences.calibrationMalformed(file, read.fault));
  return read.value;
}

export function writeCalibrationFile(
  file: string,
  calibration: Calibration,
  creatableFolder?: string,
): void {
  if (creatableFolder !== undefined && dirname(file) === creatableFolder)
    makeFolder(creatableFolder);
  const fault = replaceFile(file, `${JSON.stringify(calibration, null, 2)}\n`);
  if (fault !== undefined) throw new UserError(storageSentences.calibrationUnwritable(file, fault));
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    // A file of that name, or no permission to write.
  }
}

export function readCheckedFile<Value>(
  file: string,
  check: Validator<Value>,
): { readonly value: Value } | { readonly fault: string } {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) return content;
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parseJsonc(text);
  if ("fault" in parsed) {
    return { fault: `line ${makePositionFinder(text)(parsed.offset).line}: ${parsed.fault}` };
  }
  return validateValue(parsed.value, check);
}
