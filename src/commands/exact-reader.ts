import { exactPrices, type KnownCounts } from "#tokens/cost/exact-prices.ts";
import type { ChooseReader, Reader } from "#tokens/cost/reader.ts";
import { findMaker } from "#state/makers/index.ts";
import { sha256 } from "#kit/os/sha256.ts";

export function withExact(reader: Reader, counts: KnownCounts): Reader {
  const maker = reader.model === null ? undefined : findMaker(reader.model);
  if (!maker || reader.model === null) return reader;
  const source = { maker: maker.id, model: reader.model };
  return { ...reader, exact: exactPrices(source, counts, sha256) };
}

export function exactlyRead(choose: ChooseReader, counts: KnownCounts): ChooseReader {
  return (clientName, version) => withExact(choose(clientName, version), counts);
}
