import { expect, test } from "bun:test";
import { checkOptionSpecs, parseCheckOptions } from "#commands/check/options.ts";
import { UserError } from "#errors.ts";
import { checkFormats } from "#renderers/formats.ts";

test("parseCheckOptions has the defaults of the documentation", () => {
  expect(parseCheckOptions({})).toEqual({
    callsFile: undefined,
    budgets: [],
    growth: { share: 0.2 },
    isUpdate: false,
  });
});

test("parseCheckOptions reads budgets per call and session", () => {
  const { budgets, growth } = parseCheckOptions({
    budget: ["search=2k", "10k/session"],
    "max-growth": "30",
  });
  expect(budgets.map(({ tool, limit, per }) => [tool, limit, per])).toEqual([
    ["search", 2_000, "call"],
    [null, 10_000, "session"],
  ]);
  expect(growth).toEqual({ tokens: 30 });
});

test.each([
  [{ budget: "500k/day" }, "a check supports the periods call and session, not day"],
  [{ budget: "lots" }, "lots"],
  [{ update: true }, "--calls FILE"],
  [{ "max-growth": "x" }, "--max-growth"],
])("parseCheckOptions refuses %j", (raw, reason) => {
  expect(() => parseCheckOptions(raw)).toThrow(UserError);
  expect(() => parseCheckOptions(raw)).toThrow(reason);
});

test("checkOptionSpecs names every format", () => {
  for (const format of checkFormats) expect(checkOptionSpecs["format"]?.describe).toContain(format);
});
