import type { LogEvent, ToolListEvent } from "./log-event.ts";
import { NameSplitter } from "./split-tool-names.ts";

export const listedNamesMax = 10_000;

export const toolListsMax = 200;

export type LoggedToolList = {
  readonly conversation: string;
  readonly server: string;
  readonly tools: readonly string[];
  readonly joinedNames: readonly string[];
  readonly addedAt: number | null;
  readonly removedAt: number | null;
};

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
  const inOrder = events.toSorted((a, b) => (a.at ?? -Infinity) - (b.at ?? -Infinity) || 0);
  for (const { at, added, removed, form } of inOrder) {
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

function groupSpans(conversation: string, spans: readonly Span[]): readonly LoggedToolList[] {
  const groups = Map.groupBy(spans, ({ server, addedAt, removedAt }) =>
    JSON.stringify([server, addedAt, removedAt]),
  );
  return [...groups.values()].slice(0, toolListsMax).flatMap((group): LoggedToolList[] => {
    const [first] = group;
    if (!first) return [];
    const { server, addedAt, removedAt } = first;
    const tools = group.map(({ tool }) => tool);
    const joinedNames = group.map(({ joinedName }) => joinedName);
    return [{ conversation, server, tools, joinedNames, addedAt, removedAt }];
  });
}
