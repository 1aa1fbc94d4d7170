import type { LogEvent, ToolListEvent } from "./log-event.ts";
import { NameSplitter } from "./tool-name.ts";

// Counted each time that they are listed.
export const listedNamesMax = 10_000;

// Each change of a server's tools makes another list.
export const listedServersMax = 200;

export type LoggedToolList = {
  readonly conversation: string;
  readonly server: string;
  readonly tools: readonly string[];
  readonly names: readonly string[];
  readonly addedAt: number | null;
  readonly removedAt: number | null;
};

type Span = {
  readonly name: string;
  readonly server: string;
  readonly tool: string;
  readonly addedAt: number | null;
  removedAt: number | null;
};

/** A name that is listed already is not listed again. */
export function toolLists(
  events: readonly LogEvent[],
  knownServers: readonly string[],
): readonly LoggedToolList[] {
  const lists = events.filter((event) => event.kind === "tool_list");
  const splitter = new NameSplitter(knownServers);
  return [...Map.groupBy(lists, ({ conversation }) => conversation)].flatMap(
    ([conversation, its]) => listsOf(conversation, spansOf(its, splitter)),
  );
}

function spansOf(events: readonly ToolListEvent[], splitter: NameSplitter): readonly Span[] {
  const spans: Span[] = [];
  const open = new Map<string, Span>();
  for (const { at, added, removed, form } of events.toSorted(byTime)) {
    for (const name of added) {
      const split = splitter.split({ joined: name, form });
      if (!split || open.has(name) || spans.length >= listedNamesMax) continue;
      const span = { name, ...split, addedAt: at, removedAt: null };
      spans.push(span);
      open.set(name, span);
    }
    for (const name of removed) {
      const span = open.get(name);
      if (span) span.removedAt = at;
      open.delete(name);
    }
  }
  return spans;
}

function byTime(one: ToolListEvent, other: ToolListEvent): number {
  return (one.at ?? -Infinity) - (other.at ?? -Infinity) || 0;
}

function listsOf(conversation: string, spans: readonly Span[]): readonly LoggedToolList[] {
  const groups = Map.groupBy(spans, ({ server, addedAt, removedAt }) =>
    JSON.stringify([server, addedAt, removedAt]),
  );
  return [...groups.values()].slice(0, listedServersMax).flatMap((group): LoggedToolList[] => {
    const [first] = group;
    if (!first) return [];
    const { server, addedAt, removedAt } = first;
    const tools = group.map(({ tool }) => tool);
    const names = group.map(({ name }) => name);
    return [{ conversation, server, tools, names, addedAt, removedAt }];
  });
}
