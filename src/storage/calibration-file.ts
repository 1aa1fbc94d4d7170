import { sentences, UserError } from "#errors.ts";
import type { Calibration } from "#estimators/calibration.ts";
import { validate } from "../../dist/validators/calibration.js";
import { replaceFile } from "#os/replace-file.ts";
import { readCheckedFile } from "./checked-file.ts";

/** The calibration in a file. Throws UserError. */
export function readCalibrationFile(file: string): Calibration {
  const read = readCheckedFile(file, validate);
  if ("fault" in read) throw new UserError(sentences.calibrationMalformed(file, read.fault));
  return read.value;
}

/** Writes a calibration as a whole. Throws UserError. */
export function writeCalibrationFile(file: string, calibration: Calibration): void {
  const fault = replaceFile(file, `${JSON.stringify(calibration, null, 2)}\n`);
  if (fault !== undefined) throw new UserError(sentences.calibrationUnwritable(file, fault));
}
