import { priceDefinitions } from "#cost/price-definitions.ts";
import { lockOf, type Lock } from "./lock.ts";
import { profileServer, type ProfileTerms, type ServerListing } from "./profile.ts";

/** The lock of a server as it is now. */
export function lockServer(listing: ServerListing, terms: ProfileTerms): Lock {
  const { tools, instructions } = listing;
  const definitions = priceDefinitions(tools, instructions, terms.reader, terms.hash);
  return lockOf(profileServer(listing, definitions, terms), tools, instructions);
}
