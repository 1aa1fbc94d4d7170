import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { parseOptions } from "../../../scripts/bench/options.ts";

const known = { all: ["start", "round-trip", "soak"], comparing: ["start", "round-trip"] };

test("without arguments everything runs in full", () => {
  expect(parseOptions([], known)).toEqual({
    names: [],
    quick: false,
    write: false,
    json: false,
    minutes: 1,
    bulk: false,
    meter: resolve("dist/mcp-meter"),
    against: undefined,
  });
});

test("names, flags and values are read in any order", () => {
  const options = parseOptions(["soak", "--minutes", "30", "--write", "start", "--bulk"], known);
  expect(options.names).toEqual(["soak", "start"]);
  expect([options.minutes, options.write, options.quick]).toEqual([30, true, false]);
  expect(options.bulk).toBe(true);
});

test.each([
  ["strat", 'Cannot run "strat": the benchmarks are start, round-trip, soak'],
  ["--minutes=0", 'Cannot soak for "0" minutes'],
  ["--minutes=long", 'Cannot soak for "long" minutes'],
  ["--minutes=1441", 'Cannot soak for "1441" minutes'],
  ["--slow", "--slow"],
])("%p is refused with a sentence", (argument, sentence) => {
  expect(() => parseOptions([argument], known)).toThrow(sentence);
});

test("--against runs the loads that compare, or those that are named", () => {
  const options = parseOptions(["--against", "old/mcp-meter"], known);
  expect([options.names, options.against]).toEqual([known.comparing, resolve("old/mcp-meter")]);
  expect(parseOptions(["start", "--against=x"], known).names).toEqual(["start"]);
});

test("--against rejects a load that does not compare", () => {
  expect(() => parseOptions(["soak", "--against", "old"], known)).toThrow(
    'Cannot compare "soak": --against works with start, round-trip',
  );
});
