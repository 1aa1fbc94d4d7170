import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import { sentences } from "#errors.ts";
import type { Io } from "#io.ts";
import { HttpTransport } from "./http-transport.ts";
import type { ServerTransport } from "./server-transport.ts";
import type { ServerStart } from "./stdio-server.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { Traffic } from "./traffic.ts";

export type ServerTarget = ServerStart | { readonly endpoint: McpEndpoint };

export function isRemote(target: ServerTarget): target is Exclude<ServerTarget, ServerStart> {
  return "endpoint" in target;
}

export function openTransport(
  target: ServerTarget,
  io: Pick<Io, "platform" | "signals">,
  traffic: Traffic,
): ServerTransport {
  return isRemote(target)
    ? new HttpTransport(target.endpoint, traffic)
    : new StdioTransport(target, io, traffic);
}

export function targetName(target: ServerTarget): string {
  return isRemote(target) ? target.endpoint.shown : (target.command[0] ?? "");
}

export function cannotConnect(target: ServerTarget, reason: string): string {
  const name = targetName(target);
  return isRemote(target)
    ? sentences.endpointUnusable(name, reason)
    : sentences.serverUnreachable(name, reason);
}
