import { exitCodes } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { profileServer } from "#lock/profile.ts";
import { visitServer } from "#mcp-client/visit.ts";
import { mayColor } from "#os/output.ts";
import { renderProfileBadge } from "#renderers/badge.ts";
import { profileDocument } from "#renderers/documents/profile.ts";
import { render } from "#renderers/index.ts";
import { serverListing } from "../server-listing.ts";
import { profileTerms } from "../terms.ts";
import type { ProfileOptions } from "./options.ts";

/** Prints the cost of a server before any call. */
export async function profile(options: ProfileOptions, io: Io): Promise<Ending> {
  const visited = await visitServer({ ...options, work: async () => undefined }, io);
  if ("interrupted" in visited) return visited.interrupted;
  const listing = serverListing(visited.visit);
  const terms = profileTerms(options);
  const { tools, instructions } = listing;
  const definitions = priceDefinitions(tools, instructions, terms.reader, terms.hash);
  const priced = profileServer(listing, definitions, terms);
  const color = mayColor(io.stdout, io.env);
  const printout = { document: profileDocument(priced), data: priced };
  const { format } = options;
  const text =
    format === "badge" ? renderProfileBadge(priced) : render(format, printout, { color });
  io.stdout.write(text);
  return { code: exitCodes.ok };
}
