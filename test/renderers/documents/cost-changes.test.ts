import { expect, test } from "bun:test";
import { costSections } from "#renderers/documents/cost-changes.ts";
import { renderTerminal } from "#renderers/terminal.ts";

const comparison = {
  severity: null,
  total_tokens: { before: 120, after: 1_160 },
  tools: { before: 2, after: 2 },
  costs: [
    { tool: "search", before: 100, after: 1_140 },
    { tool: null, before: null, after: 30 },
  ],
  drifts: [],
  diffs: [],
};

test.each([
  [100, 133, "+33 (+33%)"],
  [2_000, 1_975, "-25 (-1.3%)"],
  [5, 5, "0"],
  [0, 7, "+7"],
  [null, 7, "new"],
  [7, null, "removed"],
])("costSections: a change from %p to %p", (before, after, text) => {
  const [grid] = costSections({ ...comparison, costs: [{ tool: "t", before, after }] });
  expect(grid?.kind === "grid" && grid.rows[0]?.at(-1)).toBe(text);
});

test("costSections have a row for each changed definition, and one for all", () => {
  const text = renderTerminal({ title: "t", sections: costSections(comparison) }, { color: false });
  expect(text).toMatchInlineSnapshot(`
    "t

    tool             before  after            change
    search              100  1,140  +1,040 (+1,040%)
    (instructions)              30               new
    all definitions     120  1,160    +1,040 (+867%)
    "
  `);
  expect(costSections({ ...comparison, costs: [] })).toEqual([]);
});

test("costSections count the rows that they leave out", () => {
  const costs = Array.from({ length: 101 }, (_, at) => ({ tool: `t${at}`, before: 1, after: 2 }));
  const text = renderTerminal(
    { title: "t", sections: costSections({ ...comparison, costs }) },
    { color: false },
  );
  expect(text).toContain("1 more changed definition; use --format json to list all");
});
