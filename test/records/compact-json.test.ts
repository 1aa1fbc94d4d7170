import { expect, test } from "bun:test";
import { findCompactJsonSavings } from "#records/reported-overheads.ts";

const row = (
  tool: string,
  json_tokens: number,
  minified_tokens: number,
  output_tokens = 1_000,
) => ({
  tool,
  output_tokens,
  overhead: {
    user_only_tokens: 0,
    preamble_tokens: 0,
    json_tokens,
    minified_tokens,
    structure_ratio: 0.5,
  },
});

test("a saving is told from a tenth and 200 tokens on", () => {
  expect(findCompactJsonSavings([row("a", 900, 700)])).toEqual([
    { tool: "a", tokens: 200, share: 0.2 },
  ]);
  expect(findCompactJsonSavings([row("a", 900, 701)])).toEqual([]);
  expect(findCompactJsonSavings([row("a", 900, 700, 2_000)])).toHaveLength(1);
  expect(findCompactJsonSavings([row("a", 900, 700, 2_001)])).toEqual([]);
  expect(findCompactJsonSavings([row("a", 900, 700, 0)])).toEqual([]);
  expect(findCompactJsonSavings([{ tool: "a", output_tokens: 1_000, overhead: null }])).toEqual([]);
});

test("the three largest, largest first", () => {
  const rows = [300, 500, 200, 400].map((saved) => row(`${saved}`, saved, 0));
  expect(findCompactJsonSavings(rows).map(({ tool }) => tool)).toEqual(["500", "400", "300"]);
});
