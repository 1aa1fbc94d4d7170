import type { JoinedForm, ToolName } from "./log-event.ts";

export const unknownServer = "unknown";

export type ServerTool = { readonly server: string; readonly tool: string };

const forms: {
  readonly [form in JoinedForm]: { readonly prefix: string; readonly separator: string };
} = {
  mcp__server__tool: { prefix: "mcp__", separator: "__" },
  mcp_server_tool: { prefix: "mcp_", separator: "_" },
  server_tool: { prefix: "", separator: "_" },
  extension__tool: { prefix: "", separator: "__" },
};

function splitName(name: ToolName, knownServers: readonly string[]): ServerTool | undefined {
  if ("server" in name) return name;
  const { prefix, separator } = forms[name.form];
  if (!name.joined.startsWith(prefix)) return undefined;
  const unprefixed = name.joined.slice(prefix.length);
  const longest = knownServers
    .flatMap((server) => listEscapedNames(server).map((escaped) => ({ server, escaped })))
    .filter(({ escaped }) => unprefixed.startsWith(`${escaped}${separator}`))
    .toSorted((a, b) => b.escaped.length - a.escaped.length)[0];
  if (longest) {
    return {
      server: longest.server,
      tool: unprefixed.slice(longest.escaped.length + separator.length),
    };
  }
  // This form has no prefix, so the tool may be a built-in tool whose name contains `_`.
  if (name.form === "server_tool") return undefined;
  // The name of an unknown server is assumed to end at the first separator.
  const at = unprefixed.indexOf(separator, 1);
  return at < 0
    ? { server: unknownServer, tool: unprefixed }
    : { server: unprefixed.slice(0, at), tool: unprefixed.slice(at + separator.length) };
}

// Older versions of some clients escape only the white space in a name.
function listEscapedNames(server: string): readonly string[] {
  return [escapeName(server), server.replaceAll(/\s/g, "_")];
}

export function escapeName(name: string): string {
  return name.replaceAll(/[^\w-]/g, "_");
}

export class NameSplitter {
  readonly #knownServers: readonly string[];
  readonly #cache = new Map<string, ServerTool | undefined>();

  constructor(knownServers: readonly string[]) {
    this.#knownServers = knownServers;
  }

  split(name: ToolName): ServerTool | undefined {
    if ("server" in name) return name;
    const key = `${name.form} ${name.joined}`;
    if (!this.#cache.has(key)) this.#cache.set(key, splitName(name, this.#knownServers));
    return this.#cache.get(key);
  }
}
