import { expect, test } from "bun:test";
import { findNearestName } from "#kit/text/match-names.ts";

const names = ["read_graph", "search_nodes", "open_nodes", "a"];

test.each([
  ["raed_graph", "read_graph"],
  ["read-graph", "read_graph"],
  ["serch_nodes", "search_nodes"],
  ["open_node", "open_nodes"],
  ["read_graph", "read_graph"],
  ["write_file", undefined],
  ["b", undefined],
  ["", undefined],
  ["x".repeat(10_000), undefined],
] as const)("findNearestName of %j is %j", (wanted, nearest) => {
  expect(findNearestName(wanted, names)).toBe(nearest);
});
