import { expect, test } from "bun:test";
import type { RawOptions } from "#commands/command.ts";
import {
  lockOptionGroups,
  lockOptionSpecs,
  parseComparisonOptions,
  parseLockOptions,
} from "#commands/lock/options.ts";
import { UserError } from "#kit/errors.ts";

test("parseComparisonOptions has the documented defaults", () => {
  expect(parseComparisonOptions({})).toEqual({
    file: "mcp-meter.lock",
    failOn: "risky",
    limits: {},
    base: undefined,
  });
});

test("parseComparisonOptions reads a base, and refuses one that git would take for an option", () => {
  expect(parseComparisonOptions({ base: "origin/main" }).base).toEqual({
    name: "origin/main",
    isFile: false,
  });
  expect(() => parseComparisonOptions({ base: "--output=x" })).toThrow(
    '--base must be a git revision or a lock file, not "--output=x"',
  );
});

test.each([
  [{ "max-increase": "5%" }, { maxIncrease: { share: 0.05 } }],
  [{ "max-increase": "200" }, { maxIncrease: { tokens: 200 } }],
  [
    { "max-tool": ["2k", "a=b=300", "c=1"] },
    {
      maxToolTokens: 2_000,
      maxTokensByTool: new Map([
        ["a=b", 300],
        ["c", 1],
      ]),
    },
  ],
  [
    { "max-total": "20k", "max-tool": "1.5k" },
    { maxTotalTokens: 20_000, maxToolTokens: 1_500 },
  ],
] as [RawOptions, object][])("parseComparisonOptions reads %j", (raw, limits) => {
  expect(parseComparisonOptions(raw).limits).toEqual(limits);
});

test.each([
  { "max-increase": "lots" },
  { "max-total": "-1" },
  { "max-tool": "5%" },
  { "fail-on": "cosmetic" },
])("parseComparisonOptions refuses %j", (raw) => {
  expect(() => parseComparisonOptions(raw as RawOptions)).toThrow(UserError);
});

test("parseLockOptions reads mode and format as well as the server", () => {
  const args = { options: { check: true, format: "json" }, operands: [], child: ["server"] };
  expect(parseLockOptions(args)).toMatchObject({
    server: { command: ["server"] },
    isCheck: true,
    reports: [{ format: "json", file: undefined }],
  });
});

test("lock has the options of every command that compares with a lock", () => {
  const names = lockOptionGroups.flatMap(({ options }) => Object.keys(options));
  expect(names).toEqual(expect.arrayContaining(Object.keys(lockOptionSpecs)));
});

const parse = (options: RawOptions) =>
  parseLockOptions({ options, operands: [], child: ["server"] });

test.each(["force", "dry-run"])("lock --check refuses --%s, which is about writing", (name) => {
  expect(() => parse({ check: true, [name]: true })).toThrow(
    `Cannot combine --check with --${name}`,
  );
  expect(parse({ check: "false", [name]: true }).isCheck).toBe(false);
  expect(parse({ check: true, [name]: "false" }).isCheck).toBe(true);
});
