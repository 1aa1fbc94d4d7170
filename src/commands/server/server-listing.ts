import type { ServerListing } from "#lock/profile.ts";
import type { Visit } from "#mcp-client/visit.ts";

/** Everything a visited server lists, in the form that profiles and locks are made from. */
export function serverListing(visit: Pick<Visit<unknown>, "server" | "offer">): ServerListing {
  const { server, offer } = visit;
  return {
    ...offer,
    instructions: server.instructions,
    introduction: server.introduction,
    server: {
      name: server.name,
      version: server.version,
      protocol_version: server.protocolVersion,
      era: server.era,
    },
  };
}
