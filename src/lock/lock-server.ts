import { sentences, UserError } from "#errors.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { plural } from "#text/numbers.ts";
import { isEqual } from "#wire/json-equal.ts";
import type { Change } from "./drift.ts";
import { lockOf, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";

/** The lock of a server as it is now. */
export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const { tools, instructions } = listing;
  const definitions = priceDefinitions(tools, instructions, terms.reader, terms.hash);
  return lockOf(profileServer(listing, definitions, terms), listing);
}

/**
 * A lock in the tokens of `terms`: its definitions are counted again, so that its numbers are those of this run. A lock of
 * 1.0 has no definitions and is left as it is. Throws UserError when another estimator counted that one; `name` is the
 * lock's.
 */
export function recountLock(lock: Lock, name: string, terms: ProfileTerms): Lock {
  if (lock.lock_version === "1.0") {
    const { id } = terms.reader.estimator;
    if (lock.estimator === id) return lock;
    throw new UserError(sentences.lockEstimator(name, lock.estimator, id));
  }
  const { estimator, instructions, total_tokens, tools } = lockServer(listingIn(lock), terms);
  return { ...lock, estimator, instructions, total_tokens, tools };
}

function listingIn({ server, instructions, tools }: Lock): ServerListing {
  const { name, version } = server;
  return {
    server: { name, version, protocol_version: null, era: null },
    instructions: instructions.text,
    tools: tools.map(({ definition = {} }) => definition),
    prompts: [],
    resources: [],
    resourceTemplates: [],
  };
}

/** The tokens of a lock that are not those of its definitions: first as they are written, then as they are counted. */
export function findMiscount(
  lock: Lock | undefined,
  recounted: Lock | undefined,
): Change | undefined {
  if (!lock || !recounted) return undefined;
  const counted = new Map(recounted.tools.map(({ sha256, tokens }) => [sha256, tokens]));
  const wrong = lock.tools.find(({ sha256, tokens }) => !isEqual(tokens, counted.get(sha256)));
  if (lock.total_tokens === recounted.total_tokens && !wrong) return undefined;
  const before = wrong ? wrong.tokens.total : lock.total_tokens;
  const after = wrong ? counted.get(wrong.sha256)?.total : recounted.total_tokens;
  const what = wrong
    ? `the tokens of ${wrong.name} are not those of its definition: write the lock again`
    : "the tokens of the lock are not those of its definitions: write it again";
  return {
    what,
    before: plural(before, "token"),
    after: plural(after ?? 0, "token"),
  };
}
