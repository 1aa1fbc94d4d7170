import { expect, test } from "bun:test";
import { UserError } from "#errors.ts";
import {
  lockFileDefault,
  lockLimitSpecs,
  lockOptionSpecs,
  parseLockOptions,
  parseTokens,
  tokensOption,
} from "#commands/lock/options.ts";

test("parseLockOptions has the defaults of the documentation", () => {
  expect(parseLockOptions({})).toEqual({ file: lockFileDefault, failOn: "risky", limits: {} });
  expect(lockFileDefault).toBe("mcp-meter.lock");
});

test.each([
  [{ "max-increase": "5%" }, { maxIncrease: { share: 0.05 } }],
  [{ "max-increase": "200" }, { maxIncrease: { tokens: 200 } }],
  [
    { "max-total": "20k", "max-tool": "1.5k" },
    { maxTotalTokens: 20_000, maxToolTokens: 1_500 },
  ],
] as const)("parseLockOptions reads %j", (raw, limits) => {
  expect(parseLockOptions(raw).limits).toEqual(limits);
});

test.each([
  { "max-increase": "lots" },
  { "max-total": "-1" },
  { "max-tool": "5%" },
  { "fail-on": "cosmetic" },
])("parseLockOptions refuses %j", (raw) => {
  expect(() => parseLockOptions(raw)).toThrow(UserError);
});

test.each([
  ["2000", 2_000],
  ["20K", 20_000],
  ["1.5M", 1_500_000],
  ["1.5", undefined],
  ["", undefined],
  ["k", undefined],
  ["1e3", undefined],
] as const)("parseTokens of %j", (text, tokens) => {
  expect(parseTokens(text)).toBe(tokens as number);
  if (text !== "") expect(() => tokensOption({ n: text }, "n")).not.toThrow(TypeError);
});

test("the options of a lock are those every command about locks has, and more", () => {
  for (const name of Object.keys(lockLimitSpecs)) expect(lockOptionSpecs).toHaveProperty(name);
  expect(lockOptionSpecs["format"]?.describe).toContain("table, markdown, json");
});
