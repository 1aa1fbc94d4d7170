import type { JoinedForm, ToolName } from "./log-event.ts";

/** A tool of a server. */
export type ServerTool = { readonly server: string; readonly tool: string };

/** How each form of a joined name begins, and the text between server and tool. */
const forms: {
  readonly [form in JoinedForm]: { readonly prefix: string; readonly between: string };
} = {
  double: { prefix: "mcp__", between: "__" },
  single: { prefix: "mcp_", between: "_" },
  bare: { prefix: "", between: "_" },
  extension: { prefix: "", between: "__" },
};

/**
 * Server and tool of a name in a log; undefined when it is not a server's tool, or cannot be known. Of a joined name, the
 * longest known server that it begins with is the server; clients replace characters of its name by `_`. Without one, it
 * ends at the first separator, except for `bare` names, in which anything may be a server.
 */
export function serverTool(
  name: ToolName,
  knownServers: readonly string[],
): ServerTool | undefined {
  if ("server" in name) return name;
  const { prefix, between } = forms[name.form];
  if (!name.joined.startsWith(prefix)) return undefined;
  const rest = name.joined.slice(prefix.length);
  const known = knownServers
    .flatMap((server) => writtenNames(server).map((written) => ({ server, written })))
    .filter(({ written }) => rest.startsWith(`${written}${between}`))
    .toSorted((one, other) => other.written.length - one.written.length)[0];
  if (known) {
    return { server: known.server, tool: rest.slice(known.written.length + between.length) };
  }
  if (name.form === "bare") return undefined;
  const at = rest.indexOf(between, 1);
  return at < 0
    ? { server: "unknown", tool: rest }
    : { server: rest.slice(0, at), tool: rest.slice(at + between.length) };
}

/** A name in that of a tool; older versions of some clients replace spaces only. */
function writtenNames(server: string): readonly string[] {
  return [server.replaceAll(/[^\w-]/g, "_"), server.replaceAll(/\s/g, "_")];
}
