import { expect, test } from "bun:test";
import { makeTokenFormat } from "#screens/renderers/token-ranges.ts";
import { toolColumns, usageColumns } from "#screens/renderers/documents/usage-columns.ts";
import { RowGroup } from "#history/reports/report-rows.ts";

const measures = {
  ...new RowGroup().measure(0),
  sessions: 3,
  definition_lists: 2,
  listed_tokens: 3_000,
  resident_tokens: 2_001,
  loaded_tokens: 10,
  calls: 1_234,
  context_tokens: 5_000,
  share: 0.25,
};

const texts = (columns: typeof usageColumns): Record<string, string> =>
  Object.fromEntries(
    columns.map((column) => [column.head, column.formatText(measures, makeTokenFormat(true))]),
  );

test("all numbers are sums but those that their head calls per session", () => {
  expect(texts(usageColumns)).toMatchObject({
    sessions: "3",
    "listed per session": "~1,500",
    "in context per session": "~1,001",
    definitions: "~2,011",
    calls: "1,234",
    tokens: "~5,000",
    share: "25%",
  });
  expect(texts(toolColumns)["definitions"]).toBeUndefined();
});

test("definitions that no log holds are unknown, not 0", () => {
  const logged = { ...measures, definition_lists: 0, resident_tokens: 0, loaded_tokens: 0 };
  const read = (row: typeof measures & { readonly imported_calls?: number }) =>
    usageColumns
      .filter(({ head }) => /definitions$|per session/.test(head))
      .map((column) => column.formatText(row, makeTokenFormat(true)));
  expect(read({ ...logged, imported_calls: 3 })).toEqual(["–", "–", "–"]);
  expect(read(logged)).toEqual(["~0", "~0", "~0"]);
});

test("no two columns of a table are left out by the same rank but those of wide tables", () => {
  for (const columns of [usageColumns, toolColumns]) {
    const ranks = columns
      .filter(({ isWideOnly }) => isWideOnly !== true)
      .map(({ dropRank }) => dropRank);
    expect(new Set(ranks).size).toBe(ranks.length);
  }
});

test("definitions in requests are tokens, nothing without a request, and unknown where nothing says their size", () => {
  const rent = usageColumns.find(({ head }) => head === "definitions re-sent");
  const rows = [
    { rent_requests: 4, rent_unknown_requests: 1, rent_tokens: 1_200 },
    { rent_requests: 4, rent_unknown_requests: 4, rent_tokens: null },
    {},
  ];
  const printed = rows.map((row) =>
    rent?.formatText({ ...measures, ...row }, makeTokenFormat(true)),
  );
  expect(printed).toEqual(["~1,200", "unknown", ""]);
});
