import { expect, test } from "bun:test";
import { nameFilters, rangeArgument } from "#commands/mcp/choice-arguments.ts";
import { thrownBy } from "../../support/folder.ts";

test("a name is a filter of one pattern, none is none", () => {
  expect(nameFilters({ server: "git*", tool: "search" })).toEqual({
    servers: ["git*"],
    tools: ["search"],
    clients: [],
  });
  expect(nameFilters({})).toEqual({ servers: [], tools: [], clients: [] });
});

test("an end of a period is a date or a time ago", () => {
  for (const text of ["2026-11-01", "20261101", "24h", "7d"]) {
    expect(rangeArgument({ since: text }, "since")).toBe(text);
  }
  expect(rangeArgument({}, "since")).toBeUndefined();
  expect(thrownBy(() => rangeArgument({ since: "yesterday" }, "since"))).toBe(
    '"since" must be a date such as 2026-11-01, or a time back from now such as 24h or 7d, not "yesterday"',
  );
});
