import { expect, test } from "bun:test";
import { parseMcpOptions } from "#commands/mcp/options.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (options: Record<string, string | boolean>) =>
  parseMcpOptions({ options, operands: [], child: undefined });

test("options choose the time zone of days, and whether money is shown", () => {
  expect(parse({})).toEqual({ timezone: undefined, isCosted: false, priceFile: undefined });
  expect(parse({ timezone: "Europe/Berlin", cost: true, prices: "p.json" })).toEqual({
    timezone: "Europe/Berlin",
    isCosted: true,
    priceFile: "p.json",
  });
});

test("words are refused, also after --", () => {
  for (const words of [
    { operands: ["x"], child: undefined },
    { operands: [], child: ["x"] },
  ]) {
    expect(thrownBy(() => parseMcpOptions({ options: {}, ...words }))).toBe(
      'unexpected argument "x"',
    );
  }
});
