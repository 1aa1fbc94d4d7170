import { expect, test } from "bun:test";
import { parseCheckOptions } from "#commands/check/index.ts";
import type { RawOptions } from "#commands/command.ts";
import { UserError } from "#kit/errors.ts";

const parse = (options: RawOptions) =>
  parseCheckOptions({ options, operands: [], child: ["server"] });

test("parseCheckOptions has the documented defaults", () => {
  expect(parse({})).toMatchObject({
    server: { command: ["server"] },
    file: "mcp-meter.lock",
    callsFile: undefined,
    budgets: [],
    growth: { share: 0.2 },
    updatesAnswers: false,
    isWithoutLock: false,
    reports: [],
  });
});

test("parseCheckOptions reads budgets per call and session", () => {
  const { budgets, growth, priceFile } = parse({
    calls: "calls.yaml",
    budget: ["search=2k", "10k/session", "exa_*=$0.05"],
    prices: "prices.json",
    "max-call-increase": "30",
  });
  expect(budgets.map(({ tool, limit, per }) => [tool, limit, per])).toEqual([
    ["search", 2_000, "call"],
    [null, 10_000, "session"],
    ["exa_*", 50_000_000, "call"],
  ]);
  expect(growth).toEqual({ tokens: 30 });
  expect(priceFile).toBe("prices.json");
});

test.each([
  [{ budget: "500k/day" }, "a check supports the periods call and session"],
  [{ budget: "lots" }, "lots"],
  [{ update: true }, "--calls FILE"],
  [{ "max-call-increase": "x", calls: "c" }, "--max-call-increase"],
  [{ "max-call-increase": "5%" }, "--max-call-increase requires --calls FILE"],
  [
    { "no-lock": true, "max-call-increase": "5%", calls: "c" },
    "Cannot combine --no-lock with --max-call-increase",
  ],
  [{ "no-lock": true, "max-increase": "5%" }, "Cannot combine --no-lock with --max-increase"],
  [{ "no-lock": true }, "Nothing to check: with --no-lock, also pass --calls FILE"],
] as [RawOptions, string][])("parseCheckOptions refuses %j", (raw, reason) => {
  expect(() => parse(raw)).toThrow(UserError);
  expect(() => parse(raw)).toThrow(reason);
});

test.each([{ calls: "calls.yaml" }, { "max-total": "9k" }, { "max-tool": "9k" }])(
  "parseCheckOptions needs no lock with %j",
  (options) => {
    expect(parse({ "no-lock": true, ...options }).isWithoutLock).toBe(true);
  },
);
