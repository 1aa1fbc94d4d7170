import { expect, test } from "bun:test";
import { parsePruneOptions } from "#commands/prune/options.ts";
import { thrownBy } from "../../support/folder.ts";

const args = { options: { "keep-bytes": "5k" }, operands: [], child: undefined };

test("parsePruneOptions reads the rules, and removes nothing without --yes", () => {
  expect(parsePruneOptions(args)).toEqual({
    retention: { olderThanMs: undefined, keepBytes: 5_000 },
    isConfirmed: false,
    isAutomatic: false,
    format: "table",
    output: undefined,
    isWide: false,
  });
  const options = { ...args.options, yes: true, automatic: true, json: true };
  expect(parsePruneOptions({ ...args, options })).toMatchObject({
    isConfirmed: true,
    isAutomatic: true,
    format: "json",
    output: undefined,
    isWide: false,
  });
});

test("parsePruneOptions requires a rule, and takes no arguments", () => {
  expect(thrownBy(() => parsePruneOptions({ ...args, options: { yes: true } }))).toStartWith(
    "missing rule",
  );
  expect(thrownBy(() => parsePruneOptions({ ...args, operands: ["x"] }))).toBe(
    'unexpected argument "x"',
  );
});
