import type { JoinedForm, ToolName } from "./log-event.ts";

export type ServerTool = { readonly server: string; readonly tool: string };

const forms: {
  readonly [form in JoinedForm]: { readonly prefix: string; readonly between: string };
} = {
  double: { prefix: "mcp__", between: "__" },
  single: { prefix: "mcp_", between: "_" },
  bare: { prefix: "", between: "_" },
  extension: { prefix: "", between: "__" },
};

/**
 * Undefined when it is not a server's tool, or cannot be known. Of a joined name, the longest known server that it
 * begins with counts; clients replace characters by `_`. Without one, the server ends at the first separator, except
 * for `bare` names, in which anything may be a server.
 */
function serverTool(name: ToolName, knownServers: readonly string[]): ServerTool | undefined {
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

/** Older versions of some clients replace spaces only. */
function writtenNames(server: string): readonly string[] {
  return [server.replaceAll(/[^\w-]/g, "_"), server.replaceAll(/\s/g, "_")];
}

/** Caches names: most calls have one of a few. */
export class NameSplitter {
  readonly #knownServers: readonly string[];
  readonly #split = new Map<string, ServerTool | undefined>();

  constructor(knownServers: readonly string[]) {
    this.#knownServers = knownServers;
  }

  split(name: ToolName): ServerTool | undefined {
    if ("server" in name) return name;
    const key = `${name.form} ${name.joined}`;
    if (!this.#split.has(key)) this.#split.set(key, serverTool(name, this.#knownServers));
    return this.#split.get(key);
  }
}
