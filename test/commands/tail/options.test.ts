import { expect, test } from "bun:test";
import { parseTailOptions } from "#commands/tail/options.ts";
import { tailLinesMax } from "#limits/following.ts";
import { thrownBy } from "../../support/folder.ts";

const parse = (
  options: Parameters<typeof parseTailOptions>[0]["options"],
  operands: string[] = [],
) => parseTailOptions({ options, operands, child: undefined });

test("parseTailOptions reads filters, lines and the format", () => {
  expect(parse({})).toEqual({
    servers: [],
    tools: [],
    lines: 10,
    format: "table",
    output: undefined,
    isWide: false,
  });
  expect(parse({ server: ["a", "b*"], tool: "t", lines: "0", json: true })).toEqual({
    servers: ["a", "b*"],
    tools: ["t"],
    lines: 0,
    format: "json",
    output: undefined,
    isWide: false,
  });
});

test(`parseTailOptions takes at most ${tailLinesMax} lines, and no arguments`, () => {
  expect(parse({ lines: String(tailLinesMax) }).lines).toBe(tailLinesMax);
  expect(thrownBy(() => parse({ lines: String(tailLinesMax + 1) }))).toContain("--lines must be");
  expect(thrownBy(() => parse({ lines: "-1" }))).toContain("--lines must be");
  expect(thrownBy(() => parse({}, ["file"]))).toBe('unexpected argument "file"');
});
