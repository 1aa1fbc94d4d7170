import type { JoinedForm, ToolName } from "./log-event.ts";

export type ServerTool = { readonly server: string; readonly tool: string };

const forms: {
  readonly [form in JoinedForm]: { readonly prefix: string; readonly separator: string };
} = {
  double: { prefix: "mcp__", separator: "__" },
  single: { prefix: "mcp_", separator: "_" },
  bare: { prefix: "", separator: "_" },
  extension: { prefix: "", separator: "__" },
};

// An unknown server ends at the first separator; in `bare` names, any prefix might be a server.
function splitName(name: ToolName, knownServers: readonly string[]): ServerTool | undefined {
  if ("server" in name) return name;
  const { prefix, separator } = forms[name.form];
  if (!name.joined.startsWith(prefix)) return undefined;
  const unprefixed = name.joined.slice(prefix.length);
  const longest = knownServers
    .flatMap((server) => escapeName(server).map((escaped) => ({ server, escaped })))
    .filter(({ escaped }) => unprefixed.startsWith(`${escaped}${separator}`))
    .toSorted((a, b) => b.escaped.length - a.escaped.length)[0];
  if (longest) {
    return {
      server: longest.server,
      tool: unprefixed.slice(longest.escaped.length + separator.length),
    };
  }
  if (name.form === "bare") return undefined;
  const at = unprefixed.indexOf(separator, 1);
  return at < 0
    ? { server: "unknown", tool: unprefixed }
    : { server: unprefixed.slice(0, at), tool: unprefixed.slice(at + separator.length) };
}

// Older versions of some clients replace only spaces.
function escapeName(server: string): readonly string[] {
  return [server.replaceAll(/[^\w-]/g, "_"), server.replaceAll(/\s/g, "_")];
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
