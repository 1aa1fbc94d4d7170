import { exitCodes } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import { priceDefinitions } from "#cost/price-definitions.ts";
import { profileServer } from "#lock/profile.ts";
import { profileDocument } from "#renderers/documents/profile.ts";
import { documentFormats } from "#renderers/formats.ts";
import { render } from "#renderers/index.ts";
import { mayColor } from "#os/output.ts";
import { sha256 } from "#os/sha256.ts";
import type { Arguments } from "../command.ts";
import { parseServerOptions, serverCommand } from "../visit/options.ts";
import { listingOf } from "../visit/listing.ts";
import { visitServer } from "../visit/visit.ts";
import { choiceOption } from "../values.ts";

/** Prints the cost of a server before any call. */
export async function profile(args: Arguments, io: Io): Promise<Ending> {
  const command = serverCommand(args, "profile");
  const format = choiceOption(args.options, "format", documentFormats) ?? "table";
  const options = parseServerOptions(args.options);
  const visited = await visitServer(command, options, io, async () => undefined);
  if ("interrupted" in visited) return visited.interrupted;
  const listing = listingOf(visited.visit);
  const { tools, instructions } = listing;
  const { reader } = visited.visit;
  const definitions = priceDefinitions(tools, instructions, reader, sha256);
  const terms = { reader, thresholds: options.risk, hash: sha256 };
  const priced = profileServer(listing, definitions, terms);
  const printout = { document: profileDocument(priced), data: priced };
  io.stdout.write(render(format, printout, { color: mayColor(io.stdout, io.env) }));
  return { code: exitCodes.ok };
}
