import { UserError } from "#kit/errors.ts";
import {
  type PriceSource,
  matchPrices,
  type RawPrices,
  type TokenPrices,
  completePrices,
} from "#records/money/price-book.ts";
import { validate } from "../../../dist/validators/prices.js";
import { readCheckedFile } from "./calibration-file.ts";
import { storageSentences } from "./sentences.ts";

export function readPriceFile(file: string): PriceSource {
  const read = readCheckedFile(file, validate);
  if ("fault" in read) throw new UserError(storageSentences.pricesMalformed(file, read.fault));
  const { $schema: _schema, ...byPattern } = read.value;
  return matchPrices(
    Object.entries(byPattern).map(([pattern, raw]) => ({ pattern, prices: readPrices(raw) })),
  );
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
