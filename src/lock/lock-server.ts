import { priceCanonical } from "#cost/canonical-definitions.ts";
import { lockOf, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";

/**
 * The lock of a server as it is now. Definitions are priced in canonical order, so that the order of a
 * server's keys does not change the lock.
 */
export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const { tools, instructions } = listing;
  const definitions = priceCanonical(tools, instructions, terms.reader, terms.hash);
  return lockOf(profileServer(listing, definitions, terms), tools, terms.hash);
}
