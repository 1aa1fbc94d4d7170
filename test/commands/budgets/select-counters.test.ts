import { expect, test } from "bun:test";
import type { CounterStatus } from "#meter/budgets/counter.ts";
import { selectCounters } from "#commands/budgets/command.ts";

const makeCounter = (server: string | null, tool: string | null): { status: CounterStatus } => ({
  status: {
    server,
    tool,
    pattern: tool,
    limit: 9,
    unit: "tokens",
    per: "day",
    owner: "fleet",
    user: null,
    action: "error",
    spent: 0,
    held: 0,
    left: 9,
    refills_at: "2026-09-02T00:00:00.000Z",
  },
});

const known = [
  makeCounter("fetch", "fetch"),
  makeCounter("fetch", null),
  makeCounter("github", "search"),
  makeCounter("github", null),
  makeCounter(null, null),
];

test.each([
  ["fetch", ["fetch fetch"], false],
  ["s*", ["github search"], false],
  ["github", ["github search", "github null"], true],
  ["git*", ["github search", "github null"], true],
  ["(all)", ["fetch null", "github null", "null null"], false],
  ["*", ["fetch fetch", "fetch null", "github search", "github null", "null null"], false],
  ["absent", [], true],
])("--reset %p selects counters of tools, or else of servers", (pattern, names, isServer) => {
  const found = selectCounters(known, pattern);
  expect(found.selected.map(({ status }) => `${status.server} ${status.tool}`)).toEqual(names);
  expect(found.isMatchedByServer).toBe(isServer);
});
