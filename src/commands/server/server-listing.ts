import type { ServerListing } from "#lock/profile.ts";
import type { Visit } from "#check/mcp-client/visit.ts";

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
