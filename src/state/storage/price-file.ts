import { attempt, UserError } from "#kit/errors.ts";
import {
  type NamedPrices,
  matchPrices,
  type RawPriceFile,
  type RawPrices,
  type TokenPrices,
  completePrices,
} from "#records/money/price-book.ts";
import { validate as validatePrices } from "../../../dist/validators/prices.js";
import { storageSentences } from "./sentences.ts";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Calibration } from "#tokens/estimators/user-calibration.ts";
import { validate as validateCalibration } from "../../../dist/validators/calibration.js";
import { replaceFile } from "#kit/os/write-file.ts";
import { readCheckedFile } from "./config/config-file.ts";

export function readPriceFile(file: string): NamedPrices {
  const read = readCheckedFile(file, validatePrices);
  if ("fault" in read) throw new UserError(storageSentences.pricesMalformed(file, read.fault));
  const { $schema: _schema, tools = {}, ...models } = read.value;
  const patterns = Object.entries(models).flatMap(([pattern, raw]) =>
    isModelPrices(raw) ? [{ pattern, prices: readPrices(raw) }] : [],
  );
  return {
    models: matchPrices(patterns),
    tools: Object.entries(tools).map(([pattern, dollars]) => ({ pattern, dollars })),
  };
}

// For the type checker. Always true: besides `$schema` and `tools`, the schema allows only prices of models.
function isModelPrices(raw: RawPriceFile[string]): raw is RawPrices {
  return raw !== undefined && "in" in raw && "out" in raw;
}

function readPrices(raw: RawPrices): TokenPrices {
  const { in: input, out: output, read, write5m, write1h } = raw;
  return completePrices({
    input,
    output,
    cacheRead: read,
    cacheWrite5m: write5m,
    cacheWrite1h: write1h,
  });
}

export function readCalibrationFile(file: string): Calibration {
  const read = readCheckedFile(file, validateCalibration);
  if ("fault" in read) throw new UserError(storageSentences.calibrationMalformed(file, read.fault));
  return read.value;
}

export function writeCalibrationFile(
  file: string,
  calibration: Calibration,
  creatableFolder?: string,
): void {
  // If the folder cannot be created, writing the file fails too, and that error has the reason.
  if (creatableFolder !== undefined && dirname(file) === creatableFolder)
    attempt(() => mkdirSync(creatableFolder, { recursive: true, mode: 0o700 }));
  const fault = replaceFile(file, `${JSON.stringify(calibration, null, 2)}\n`);
  if (fault !== undefined) throw new UserError(storageSentences.calibrationUnwritable(file, fault));
}
