import { sentences, UserError } from "#errors.ts";
import { configBytesMax } from "#limits.ts";
import { readWholeFile } from "#os/named-file.ts";
import { type PriceSource, pricesByPattern } from "#money/price-book.ts";
import { type RawPrices, type TokenPrices, tokenPrices } from "#money/token-prices.ts";
import { placesIn } from "#text/source-tree.ts";
import { validated } from "#text/validation.ts";
import { validate } from "../../dist/validators/prices.js";
import { parseJsonc } from "./jsonc.ts";

/** The prices of a file; the first pattern that fits a model decides. Throws UserError. */
export function readPriceFile(file: string): PriceSource {
  const content = readWholeFile(file, configBytesMax);
  if ("fault" in content) throw malformed(file, content.fault);
  const text = new TextDecoder().decode(content.bytes);
  const parsed = parseJsonc(text);
  if ("fault" in parsed) {
    throw malformed(file, `line ${placesIn(text)(parsed.offset).line}: ${parsed.fault}`);
  }
  const read = validated(parsed.value, validate);
  if ("fault" in read) throw malformed(file, read.fault);
  const { $schema: _schema, ...byPattern } = read.value;
  return pricesByPattern(
    Object.entries(byPattern).map(([pattern, raw]) => ({ pattern, prices: statedIn(raw) })),
  );
}

function statedIn(raw: RawPrices): TokenPrices {
  const { in: input, out: output, read, write5m, write1h } = raw;
  return tokenPrices({
    input,
    output,
    cacheRead: read,
    cacheWrite5m: write5m,
    cacheWrite1h: write1h,
  });
}

function malformed(file: string, fault: string): UserError {
  return new UserError(sentences.pricesMalformed(file, fault));
}
