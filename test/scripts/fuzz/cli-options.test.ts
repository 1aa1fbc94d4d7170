import { expect, test } from "bun:test";
import { parseCliOptions } from "../../../scripts/fuzz/cli-options.ts";

test("options are parsed, and option sets found by name", () => {
  const options = parseCliOptions([
    "--seconds",
    "5",
    "--seed",
    "9",
    "--options",
    "plain,day",
    "--json",
  ]);
  expect(options).toMatchObject({ seconds: 5, seed: 9, isJson: true, replay: undefined });
  expect(options.sets.map(({ name }) => name)).toEqual(["plain", "day"]);
});

test("by default there are all option sets, and a minute", () => {
  const { seconds, sets, plays } = parseCliOptions([]);
  expect(seconds).toBe(60);
  expect(plays).toBeUndefined();
  expect(sets.length).toBeGreaterThanOrEqual(12);
});

const mistake =
  (...args: readonly string[]): (() => unknown) =>
  () =>
    parseCliOptions(args);

test("a mistake is one sentence that names it", () => {
  expect(mistake("--seconds", "soon")).toThrow(
    '--seconds must be a whole number from 1, not "soon"',
  );
  expect(mistake("--seed", "")).toThrow("--seed must be");
  expect(mistake("--options", "plane")).toThrow(
    'Cannot find the option set "plane": there are plain,',
  );
  expect(mistake("--speed", "1")).toThrow("--speed");
});
