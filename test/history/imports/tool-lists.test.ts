import { expect, test } from "bun:test";
import { array, assert, constantFrom, integer, property, record } from "fast-check";
import { listedNamesMax, toolListsMax, collectToolLists } from "#history/imports/tool-lists.ts";
import type { LogEvent, ToolListEvent } from "#history/imports/log-event.ts";

function listed(at: number | null, added: readonly string[], removed: readonly string[] = []) {
  const event: ToolListEvent = {
    kind: "tool_list",
    at,
    conversation: "c",
    added,
    removed,
    form: "mcp__server__tool",
  };
  return event;
}

const found = (...events: readonly LogEvent[]) =>
  collectToolLists(events, ["my__server"]).map(({ server, tools, addedAt, removedAt }) => [
    server,
    tools,
    addedAt,
    removedAt,
  ]);

test("tools are listed by server, and a known server by its name", () => {
  const events = listed(1, ["mcp__docs__a", "mcp__my__server__b", "mcp__docs__c"]);
  expect(found(events)).toEqual([
    ["docs", ["a", "c"], 1, null],
    ["my__server", ["b"], 1, null],
  ]);
});

test("a name that is listed again is not listed twice, whichever file comes first", () => {
  const [first, again] = [listed(1, ["mcp__docs__a"]), listed(5, ["mcp__docs__a", "mcp__docs__b"])];
  const lists = [
    ["docs", ["a"], 1, null],
    ["docs", ["b"], 5, null],
  ];
  expect(found(first, again, first)).toEqual(lists);
  expect(found(again, first)).toEqual(lists);
});

test("tools that are removed have a time of their own, and may come back", () => {
  const events = [
    listed(1, ["mcp__docs__a", "mcp__docs__b"]),
    listed(3, [], ["mcp__docs__b", "mcp__docs__never"]),
    listed(6, ["mcp__docs__b"]),
  ];
  expect(found(...events)).toEqual([
    ["docs", ["a"], 1, null],
    ["docs", ["b"], 1, 3],
    ["docs", ["b"], 6, null],
  ]);
});

test("names and lists are bounded", () => {
  const many = Array.from({ length: listedNamesMax + 1 }, (_, index) => `mcp__docs__t${index}`);
  expect(collectToolLists([listed(1, many)], [])[0]?.tools).toHaveLength(listedNamesMax);
  const servers = Array.from({ length: toolListsMax + 1 }, (_, index) => `mcp__s${index}__t`);
  expect(collectToolLists([listed(1, servers)], [])).toHaveLength(toolListsMax);
});

test("property: a name is in one list at a time, and copies of events change nothing", () => {
  const name = constantFrom("mcp__docs__a", "mcp__docs__b", "mcp__files__c");
  const change = record({
    at: integer({ min: 0, max: 5 }),
    added: array(name, { maxLength: 3 }),
    removed: array(name, { maxLength: 2 }),
  });
  assert(
    property(array(change, { maxLength: 8 }), (changes) => {
      // One event per time: simultaneous events have no known order.
      const events = changes.map(({ added, removed }, at) => listed(at, added, removed));
      const lists = collectToolLists(events, []);
      const spans = lists.flatMap(({ joinedNames, addedAt, removedAt }) =>
        joinedNames.map((joined) => ({ joined, from: addedAt ?? 0, to: removedAt ?? Infinity })),
      );
      for (const { joined, from, to } of spans) {
        const others = spans.filter((other) => other.joined === joined && other.from < to);
        expect(others.filter((other) => other.to > from).length).toBe(from < to ? 1 : 0);
      }
    }),
  );
});
