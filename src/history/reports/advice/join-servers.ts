import { adviceRepeatsMax } from "#kit/limits.ts";
import type { RefusableCalls } from "./call-runs.ts";
import {
  type DatedList,
  type KnownLists,
  mergeLists,
  type NamedTools,
  noLists,
  type ServerUsage,
  nameOfKey,
  type ServerPart,
  type SessionUsage,
  toolOfKey,
} from "./session-usage.ts";
import type { UsageRows } from "./tool-usage.ts";

type Joined = {
  sessions: number;
  readonly rows: Map<string, number[]>;
  readonly refusable: Map<number, RefusableCalls>;
  lists: KnownLists;
  readonly contents: Set<DatedList["list"]>;
  readonly named: NamedTools[];
  residentTokens: number;
};

export function joinServers(sessions: readonly SessionUsage[], rows: UsageRows): ServerUsage[] {
  const servers = new Map<string, Joined>();
  for (const session of sessions) {
    for (const [server, part] of session.servers) {
      const joined = servers.get(server) ?? {
        sessions: 0,
        rows: new Map(),
        refusable: new Map(),
        lists: noLists,
        contents: new Set(),
        named: [],
        residentTokens: 0,
      };
      servers.set(server, joined);
      join(joined, part);
    }
  }
  const sorted = [...servers].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return sorted.map(([server, joined]) => usageOf(server, joined, rows));
}

function join(joined: Joined, part: ServerPart): void {
  const { hasBegun, rows, lists, contents, named, runs } = part;
  for (const list of contents) joined.contents.add(list);
  if (hasBegun) joined.sessions += 1;
  joined.named.push(...named);
  for (const [key, row] of rows) {
    const known = joined.rows.get(key);
    if (known) known.push(row);
    else joined.rows.set(key, [row]);
  }
  for (const [row, calls] of runs.refusable(adviceRepeatsMax)) joined.refusable.set(row, calls);
  joined.lists = mergeLists(joined.lists, lists);
  joined.residentTokens += lists.newest?.list.resident_tokens ?? 0;
}

function usageOf(
  server: string,
  { sessions, rows, refusable, lists, contents, named, residentTokens }: Joined,
  all: UsageRows,
): ServerUsage {
  const sorted = [...rows].toSorted(([one], [other]) => (one < other ? -1 : 1));
  const tools = sorted.map(([key, numbers]) => ({
    name: nameOfKey(key),
    isTool: toolOfKey(key) !== undefined,
    usage: all.sum(numbers),
    refusable: sumOf(numbers.flatMap((row) => refusable.get(row) ?? [])),
  }));
  const called = sorted.flatMap(([key]) => toolOfKey(key) ?? []);
  return {
    server,
    sessions,
    tools,
    called: new Set(called),
    calls: tools.reduce((sum, { usage }) => sum + usage.calls, 0),
    lists,
    contents,
    named,
    describing: lists,
    residentTokens,
  };
}

function sumOf(some: readonly RefusableCalls[]): RefusableCalls {
  return {
    calls: some.reduce((sum, one) => sum + one.calls, 0),
    tokens: some.reduce((sum, one) => sum + one.tokens, 0),
  };
}
