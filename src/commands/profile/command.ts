import { exitCodes, sentences, UserError } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { profileServer } from "#lock/profile.ts";
import { compareProfiles, type EarlierProfile } from "#lock/profile-comparison.ts";
import { findSavings, type PricedProfile } from "#lock/savings/find-savings.ts";
import { visitServer } from "#mcp-client/visit.ts";
import { mayColor } from "#os/output.ts";
import { renderProfileBadge } from "#renderers/badge.ts";
import { profileDocument } from "#renderers/documents/profile.ts";
import { profileComparisonDocument } from "#renderers/documents/profile-comparison.ts";
import { type Printout, render } from "#renderers/index.ts";
import { readProfileFile } from "#storage/profile-file.ts";
import { serverListing } from "../server-listing.ts";
import { profileTerms } from "../terms.ts";
import type { ProfileOptions } from "./options.ts";

/** Prints the cost of a server before any call, or compares it with an earlier profile. */
export async function profile(options: ProfileOptions, io: Io): Promise<Ending> {
  const { compared, format } = options;
  const earlier = compared === undefined ? undefined : readProfileFile(compared);
  const visited = await visitServer({ ...options, work: async () => undefined }, io);
  if ("interrupted" in visited) return visited.interrupted;
  const listing = serverListing(visited.visit);
  const terms = profileTerms(options);
  const { tools, instructions } = listing;
  const definitions = priceDefinitions(tools, instructions, terms.reader, terms.hash);
  const priced = {
    ...profileServer(listing, definitions, terms),
    savings: findSavings(listing, definitions, terms),
  };
  const printout = printoutOf(priced, compared ?? "", earlier);
  const color = mayColor(io.stdout, io.env);
  const text =
    format === "badge" ? renderProfileBadge(priced) : render(format, printout, { color });
  io.stdout.write(text);
  return { code: exitCodes.ok };
}

/** Throws UserError when the earlier profile was counted with another estimator. */
function printoutOf(
  priced: PricedProfile,
  file: string,
  earlier: EarlierProfile | undefined,
): Printout {
  if (!earlier) return { document: profileDocument(priced), data: priced };
  const [before, now] = [earlier.estimator.id, priced.estimator.id];
  if (before !== now) throw new UserError(sentences.profileEstimator(file, before, now));
  const comparison = compareProfiles(file, earlier, priced);
  const document = profileComparisonDocument(priced, comparison);
  return { document, data: { ...priced, comparison } };
}
