import { expect, test } from "bun:test";
import { layOutTreemap } from "#screens/dash/page/layouts.ts";
import type { DefinitionRow } from "#screens/dash/view.ts";

const makeRow = (name: string, tokens: readonly [number, number, number]): DefinitionRow => ({
  name,
  tokens: tokens[0] + tokens[1] + tokens[2],
  name_tokens: tokens[0],
  description_tokens: tokens[1],
  schema_tokens: tokens[2],
  wire_only_tokens: 0,
  calls: 0,
});

test("areas are in proportion to tokens, the largest first, each split into its parts", () => {
  const rows = {
    small: makeRow("small", [0, 100, 100]),
    large: makeRow("large", [50, 150, 600]),
    none: makeRow("none", [0, 0, 0]),
  };
  const tiles = layOutTreemap(rows, { width: 1_000, height: 500 });
  expect(tiles.map(({ key, fields }) => [key, fields.map(({ field }) => field)])).toEqual([
    ["large", ["schema", "description", "name"]],
    ["small", ["schema", "description"]],
  ]);
  const [large, small] = tiles.map(({ box }) => box.width * box.height);
  expect((large ?? 0) / (small ?? 1)).toBeCloseTo(4, 0);
  for (const { box, fields: parts } of tiles) {
    for (const part of parts) {
      expect(part.box.x).toBeGreaterThanOrEqual(box.x);
      expect(part.box.x + part.box.width).toBeLessThanOrEqual(box.x + box.width);
      expect(part.box.y + part.box.height).toBeLessThanOrEqual(box.y + box.height);
    }
  }
});

test("no tool has no area", () => {
  expect(layOutTreemap({}, { width: 100, height: 100 })).toEqual([]);
});
