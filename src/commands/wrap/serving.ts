import type { ServedNote } from "#storage/clients/remote-notes.ts";
import { serverFlag } from "./own-command.ts";
import { servedKey, type ServedPorts, type ServedServer } from "./served-ports.ts";

/** A server that is reached through `serve`: its note, and the words of the command that must run. */
type Serving = { readonly served: ServedNote; readonly words: readonly string[] };

/** Finds a port for a server. A refusal has the reason. */
export type Serve = (server: ServedServer) => Serving | { readonly refusal: "ports" | "address" };

/** Serves servers at ports of this machine by the program `command`, with options of `serve`. */
export function serveWith(command: string, flags: readonly string[], ports: ServedPorts): Serve {
  return (server) => {
    const { hostname, port: itsPort, pathname } = new URL(server.url);
    if (hostname === "127.0.0.1" && ports.has(Number(itsPort))) return { refusal: "address" };
    const port = ports.portOf(server);
    if (port === undefined) return { refusal: "ports" };
    const place = ["--url", server.url, "--port", String(port)];
    return {
      served: { address: `http://127.0.0.1:${port}${pathname}`, key: servedKey(server) },
      words: [command, "serve", ...place, ...serverFlag(server.name), ...flags],
    };
  };
}
