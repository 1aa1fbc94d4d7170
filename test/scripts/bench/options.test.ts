import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { parseOptions } from "../../../scripts/bench/options.ts";

const known = ["start", "soak"];

test("without arguments everything runs in full", () => {
  expect(parseOptions([], known)).toEqual({
    names: [],
    quick: false,
    write: false,
    json: false,
    minutes: 1,
    meter: resolve("dist/mcp-meter"),
  });
});

test("names, flags and values are read in any order", () => {
  const options = parseOptions(["soak", "--minutes", "30", "--write", "start"], known);
  expect(options.names).toEqual(["soak", "start"]);
  expect([options.minutes, options.write, options.quick]).toEqual([30, true, false]);
});

test.each([
  ["strat", 'Cannot run "strat": the benchmarks are start, soak'],
  ["--minutes=0", 'Cannot soak for "0" minutes'],
  ["--minutes=long", 'Cannot soak for "long" minutes'],
  ["--minutes=1441", 'Cannot soak for "1441" minutes'],
  ["--slow", "--slow"],
])("%p is refused with a sentence", (argument, sentence) => {
  expect(() => parseOptions([argument], known)).toThrow(sentence);
});
