import { sentences, UserError } from "#errors.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { lockOf, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";

/** The lock of a server as it is now. */
export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const { tools, instructions } = listing;
  const definitions = priceDefinitions(tools, instructions, terms.reader, terms.hash);
  return lockOf(profileServer(listing, definitions, terms), listing);
}

/**
 * The lock that the definitions in `lock` give, in the tokens of `terms` and by its own thresholds: each value that follows
 * from them is made again, so that its numbers are those of this run. Recorded answers, which follow from no definition, stay. A lock of 1.0 has no
 * definitions and is left as it is. Throws UserError when another estimator counted that one; `name` is the lock's.
 */
export function deriveLock(lock: Lock, name: string, terms: ProfileTerms): Lock {
  if (lock.lock_version === "1.0") {
    const { id } = terms.reader.estimator;
    if (lock.estimator === id) return lock;
    throw new UserError(sentences.lockEstimator(name, lock.estimator, id));
  }
  const { lock_version: version, server, answers } = lock;
  const derived = lockServer(listingIn(lock), { ...terms, thresholds: lock.risk_thresholds });
  return {
    ...inVersion(derived, version),
    lock_version: version,
    server,
    ...(answers ? { answers } : {}),
  };
}

function listingIn({ server, instructions, tools, ...lists }: Lock): ServerListing {
  const { name, version } = server;
  return {
    server: { name, version, protocol_version: null, era: null },
    instructions: instructions.text,
    tools: tools.map(({ definition = {} }) => definition),
    prompts: lists.prompts ?? [],
    resources: [],
    resourceTemplates: lists.resource_templates ?? [],
  };
}

/** Without the lists that a lock of that version does not have. */
function inVersion(lock: Lock, version: Lock["lock_version"]): Lock {
  if (version !== "2.0") return lock;
  const { prompts: _prompts, resource_templates: _templates, ...rest } = lock;
  return rest;
}
