import { exitCodes } from "#errors.ts";
import type { Ending, Io } from "#io.ts";
import type { DefinitionsCost } from "#cost/definitions-cost.ts";
import { profileServer, type Profile } from "#lock/profile.ts";
import type { RiskThresholds } from "#cost/risk.ts";
import { profileFormats } from "#renderers/profile-formats.ts";
import { renderProfile } from "#renderers/profile.ts";
import { mayColor } from "#os/output.ts";
import { sha256 } from "#os/sha256.ts";
import type { Arguments } from "../command.ts";
import { parseServerOptions, serverCommand } from "../visit/options.ts";
import { visitServer, type Visit } from "../visit/visit.ts";
import { choiceOption } from "../values.ts";

/** Says what a server costs before anyone calls it. */
export async function profile(args: Arguments, io: Io): Promise<Ending> {
  const command = serverCommand(args, "profile");
  const format = choiceOption(args.options, "format", profileFormats) ?? "table";
  const options = parseServerOptions(args.options);
  const visited = await visitServer(command, options, io, async () => undefined);
  if ("interrupted" in visited) return visited.interrupted;
  const weighed = profileOf(visited.visit, options.risk);
  io.stdout.write(renderProfile(format, weighed, { color: mayColor(io.stdout, io.env) }));
  return { code: exitCodes.ok };
}

/** A visit's profile; by what the session recorded unless other prices are given. */
export function profileOf<T>(
  visit: Visit<T>,
  thresholds: RiskThresholds,
  definitions: DefinitionsCost | undefined = visit.definitions,
): Profile {
  const { server, offer, reader } = visit;
  return profileServer({
    ...offer,
    server: {
      name: server.name,
      version: server.version,
      protocol_version: server.protocolVersion,
      era: server.era,
    },
    instructions: server.instructions,
    definitions,
    reader,
    thresholds,
    hash: sha256,
  });
}
