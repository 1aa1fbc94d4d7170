import type { LogEvent, ToolListEvent, JoinedForm, ToolName } from "./log-event.ts";

export const listedNamesMax = 10_000;

export const listedServersMax = 200;

export const unknownServer = "unknown";

export type LoggedToolList = {
  readonly conversation: string;
  readonly server: string;
  readonly tools: readonly string[];
  readonly joinedNames: readonly string[];
  readonly addedAt: number | null;
  readonly removedAt: number | null;
};

// The time in which a tool was listed.
type Span = {
  readonly joinedName: string;
  readonly server: string;
  readonly tool: string;
  readonly addedAt: number | null;
  removedAt: number | null;
};

export function collectToolLists(
  events: readonly LogEvent[],
  knownServers: readonly string[],
): readonly LoggedToolList[] {
  const lists = events.filter((event) => event.kind === "tool_list");
  const splitter = new NameSplitter(knownServers);
  return [...Map.groupBy(lists, ({ conversation }) => conversation)].flatMap(
    ([conversation, group]) => groupSpans(conversation, findSpans(group, splitter)),
  );
}

function findSpans(events: readonly ToolListEvent[], splitter: NameSplitter): readonly Span[] {
  const spans: Span[] = [];
  const open = new Map<string, Span>();
  for (const { at, added, removed, form } of events.toSorted(compareTimes)) {
    for (const joinedName of added) {
      const split = splitter.split({ joined: joinedName, form });
      if (!split || open.has(joinedName) || spans.length >= listedNamesMax) continue;
      const span = { joinedName, ...split, addedAt: at, removedAt: null };
      spans.push(span);
      open.set(joinedName, span);
    }
    for (const joinedName of removed) {
      const span = open.get(joinedName);
      if (span) span.removedAt = at;
      open.delete(joinedName);
    }
  }
  return spans;
}

function compareTimes(a: ToolListEvent, b: ToolListEvent): number {
  return (a.at ?? -Infinity) - (b.at ?? -Infinity) || 0;
}

function groupSpans(conversation: string, spans: readonly Span[]): readonly LoggedToolList[] {
  const groups = Map.groupBy(spans, ({ server, addedAt, removedAt }) =>
    JSON.stringify([server, addedAt, removedAt]),
  );
  return [...groups.values()].slice(0, listedServersMax).flatMap((group): LoggedToolList[] => {
    const [first] = group;
    if (!first) return [];
    const { server, addedAt, removedAt } = first;
    const tools = group.map(({ tool }) => tool);
    const joinedNames = group.map(({ joinedName }) => joinedName);
    return [{ conversation, server, tools, joinedNames, addedAt, removedAt }];
  });
}

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
  // In this form, the name of a built-in tool may look the same.
  if (name.form === "server_tool") return undefined;
  // The name of an unknown server ends at the first separator.
  const at = unprefixed.indexOf(separator, 1);
  return at < 0
    ? { server: unknownServer, tool: unprefixed }
    : { server: unprefixed.slice(0, at), tool: unprefixed.slice(at + separator.length) };
}

// Older versions of some clients replace only spaces.
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
