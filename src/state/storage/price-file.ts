import { UserError } from "#kit/errors.ts";
import {
  type NamedPrices,
  matchPrices,
  type RawPriceFile,
  type RawPrices,
  type TokenPrices,
  completePrices,
} from "#records/money/price-book.ts";
import { validate } from "../../../dist/validators/prices.js";
import { readCheckedFile } from "./calibration-file.ts";
import { storageSentences } from "./sentences.ts";

export function readPriceFile(file: string): NamedPrices {
  const read = readCheckedFile(file, validate);
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

// Next to `tools`, the schema allows prices of models only.
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
