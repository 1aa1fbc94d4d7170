import { UserError } from "#kit/errors.ts";
import type { Io } from "#kit/io.ts";
import { findAccount } from "#state/makers/account.ts";
import { ExactCounts } from "#state/makers/exact-counts.ts";
import { findMaker, makers } from "#state/makers/index.ts";
import type { Maker } from "#state/makers/maker.ts";
import { sha256 } from "#kit/os/sha256.ts";
import { ExactCache, exactCacheFile } from "#state/storage/exact-cache.ts";
import { Teller } from "#kit/text/teller.ts";
import type { ExactOptions } from "./exact-options.ts";
import { commandSentences } from "./sentences.ts";

export type OpenExact = {
  readonly maker: Maker;
  readonly model: string;
  readonly counts: ExactCounts;
  readonly cache: ExactCache;
};

/** Sends nothing yet. Throws UserError when maker, key or address is missing. */
export function openExact({ model, url }: ExactOptions, io: Pick<Io, "env" | "stderr">): OpenExact {
  const maker = findMaker(model);
  if (!maker)
    throw new UserError(
      commandSentences.exactModel(model, makers.map(({ name }) => name).join(" and ")),
    );
  const account = findAccount(maker, url, io.env);
  const { tell } = new Teller(io.stderr);
  const cache = new ExactCache(exactCacheFile(io.env));
  cache.claim(maker.id, addressNumber(account.url));
  const world = {
    hash: sha256,
    wait: (ms: number) => Bun.sleep(ms),
    waiting: (name: string, ms: number) =>
      tell(commandSentences.exactWaiting(name, Math.ceil(ms / 1000))),
  };
  return { maker, model, cache, counts: new ExactCounts({ maker, model, account }, cache, world) };
}

function addressNumber({ href }: URL): number {
  return Number.parseInt(sha256(href.replace(/\/+$/, "")).slice(0, 12), 16);
}
