import type { McpEndpoint } from "#endpoint/mcp-endpoint.ts";
import { sentences } from "#errors.ts";
import type { Io } from "#io.ts";
import { HttpTransport } from "./http-transport.ts";
import type { ServerTransport } from "./server-transport.ts";
import type { ServerStart } from "./stdio-server.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { Traffic } from "./traffic.ts";

/** A server to connect to: a command that we start, or the endpoint of one that runs. */
export type ServerTarget = ServerStart | { readonly endpoint: McpEndpoint };

/** True for a server behind a URL. */
export function isRemote(target: ServerTarget): target is Exclude<ServerTarget, ServerStart> {
  return "endpoint" in target;
}

/** A new transport to a server. */
export function openTransport(
  target: ServerTarget,
  io: Pick<Io, "platform" | "signals">,
  traffic: Traffic,
): ServerTransport {
  return isRemote(target)
    ? new HttpTransport(target.endpoint, traffic)
    : new StdioTransport(target, io, traffic);
}

/** The name of a server before it gives its own: its program, or its address without a key. */
export function targetName(target: ServerTarget): string {
  return isRemote(target) ? target.endpoint.shown : (target.command[0] ?? "");
}

/** The sentence for a server that is none, or whose greeting fails. */
export function cannotConnect(target: ServerTarget, reason: string): string {
  const name = targetName(target);
  return isRemote(target)
    ? sentences.endpointUnusable(name, reason)
    : sentences.serverUnreachable(name, reason);
}
