import { visitServer, type Visit } from "#check/mcp-client/visit.ts";
import { createDefinitionRedactor } from "#check/redact-secrets.ts";
import type { Io } from "#kit/io.ts";
import type { ServerListing } from "#lock/profile.ts";
import { resolveServer, type ServerOptions } from "./server-options.ts";

/** Lists a server and ends it. `redact` hides secrets in texts. */
export async function visitForListing(
  { server, timeoutMs }: Pick<ServerOptions, "server" | "timeoutMs">,
  io: Io,
) {
  const { target, secrets } = resolveServer(server, io.env);
  const redact = createDefinitionRedactor(secrets);
  const visit = { target, timeoutMs, redact, work: async () => undefined };
  return { redact, visited: await visitServer(visit, io) };
}

export function makeServerListing(visit: Pick<Visit<unknown>, "server" | "offer">): ServerListing {
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
