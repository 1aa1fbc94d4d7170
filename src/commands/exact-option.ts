import { UserError } from "#kit/errors.ts";
import { type OptionSpecs, type RawOptions, makeCommandFlag } from "./command.ts";
import { makeConflict, readFlag, readText } from "./option-values.ts";
import { commandSentences } from "./sentences.ts";
import { makeMakerCounts, type KnownCounts } from "#tokens/cost/maker-counts.ts";
import type { ChooseReader, Reader } from "#tokens/cost/reader.ts";
import { anthropic } from "#state/makers/anthropic.ts";
import { google } from "#state/makers/google.ts";
import { sha256 } from "#kit/os/hash.ts";
import type { Io } from "#kit/io.ts";
import { findAccount, type Maker } from "#state/makers/maker.ts";
import type { ExactCounts } from "#state/makers/exact-counts.ts";
import { ExactCache, locateExactCache } from "#state/makers/exact-cache.ts";
import { Teller } from "#kit/text/teller.ts";

export const exactOptionSpecs: OptionSpecs = {
  exact: makeCommandFlag("have Anthropic or Google count the tokens, with your key"),
};

export function parseExactModel(raw: RawOptions): string | undefined {
  if (!readFlag(raw, "exact")) return undefined;
  const model = readText(raw, "model");
  if (model === undefined) throw new UserError(commandSentences.exactNeedsModel());
  if ((readText(raw, "tokenizer") ?? "auto") !== "auto") {
    throw makeConflict("--exact", "--tokenizer");
  }
  return model;
}

export const makers: readonly Maker[] = [anthropic, google];

export function findMaker(model: string): Maker | undefined {
  return makers.find(({ servesModel }) => servesModel(model));
}

export function addExactCounts(reader: Reader, counts: KnownCounts): Reader {
  const maker = reader.model === null ? undefined : findMaker(reader.model);
  if (!maker || reader.model === null) return reader;
  const source = { maker: maker.id, model: reader.model };
  return { ...reader, makerCounts: makeMakerCounts(source, counts, sha256) };
}

export function makeExactChooser(choose: ChooseReader, counts: KnownCounts): ChooseReader {
  return (clientName, version) => addExactCounts(choose(clientName, version), counts);
}

export type OpenExactCounts = {
  readonly maker: Maker;
  readonly model: string;
  readonly counts: ExactCounts;
  readonly cache: ExactCache;
};

export async function openExactCounts(
  model: string,
  io: Pick<Io, "env" | "stderr">,
): Promise<OpenExactCounts> {
  const maker = findMaker(model);
  if (!maker)
    throw new UserError(
      commandSentences.exactWithoutCounter(model, makers.map(({ name }) => name).join(" and ")),
    );
  const account = findAccount(maker, io.env);
  const { tell } = new Teller(io.stderr);
  const cache = new ExactCache(locateExactCache(io.env));
  const endpointHash = sha256(account.url.href.replace(/\/+$/, "")).slice(0, 12);
  cache.setEndpoint(maker.id, Number.parseInt(endpointHash, 16));
  const deps = {
    hash: sha256,
    wait: (ms: number) => Bun.sleep(ms),
    reportWait: (name: string, ms: number) =>
      tell(commandSentences.exactWaiting(name, Math.ceil(ms / 1000))),
  };
  const { ExactCounts } = await import("#state/makers/exact-counts.ts");
  return { maker, model, cache, counts: new ExactCounts({ maker, model, account }, cache, deps) };
}
