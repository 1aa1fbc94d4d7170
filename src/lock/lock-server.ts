import { sentences, UserError } from "#errors.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { lockOf, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";

/** The lock of a server as it is now. */
export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const { tools, instructions } = listing;
  const definitions = priceDefinitions(tools, instructions, terms.reader, terms.hash);
  return lockOf(profileServer(listing, definitions, terms), tools, instructions);
}

/**
 * The lock of a base in the tokens of `terms`: its definitions are counted again when another estimator counted
 * them. Throws UserError for a lock of 1.0, which has none; `name` is the base.
 */
export function recountLock(lock: Lock, name: string, terms: ProfileTerms): Lock {
  const { id } = terms.reader.estimator;
  if (lock.estimator === id) return lock;
  if (lock.lock_version === "1.0") {
    throw new UserError(sentences.lockEstimator(name, lock.estimator, id));
  }
  return lockServer(
    {
      server: { ...lock.server, protocol_version: null, era: null },
      instructions: lock.instructions.text,
      tools: lock.tools.map(({ definition = {} }) => definition),
      prompts: [],
      resources: [],
      resourceTemplates: [],
    },
    terms,
  );
}
