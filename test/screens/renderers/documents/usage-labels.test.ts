import { expect, test } from "bun:test";
import type { Axis, RowKeys, UsageRow } from "#history/reports/usage-report.ts";
import { buildLabelColumns } from "#screens/renderers/usage.ts";
import { RowGroup } from "#history/reports/row-keys.ts";

const row = (keys: RowKeys & { more?: number }): UsageRow => ({
  ...new RowGroup().measures(0),
  ...keys,
});

const heads = (...by: readonly Axis[]): string[] => buildLabelColumns(by).map(({ head }) => head);

test("each axis has columns, and none of two axes twice", () => {
  expect(heads("week", "model")).toEqual(["week of", "model"]);
  expect(heads("month", "client")).toEqual(["month", "client"]);
  expect(heads("tool")).toEqual(["server", "tool"]);
  expect(heads("server", "tool")).toEqual(["server", "tool"]);
  expect(heads("session")).toEqual(["session", "began", "server", "client"]);
  expect(heads("session", "server")).toEqual(["session", "began", "client", "server"]);
  expect(heads("session", "tool")).toEqual(["session", "began", "server", "client", "tool"]);
});

const cells = (by: readonly Axis[], keys: RowKeys & { more?: number }) =>
  buildLabelColumns(by).map(({ formatCell: cellOf }) => cellOf(row(keys)));

test("an unknown name is written out, and so is the row that adds up others", () => {
  expect(cells(["model"], { model: null })).toEqual(["(unknown)"]);
  expect(cells(["day", "client"], { day: "2026-11-01", more: 3 })).toEqual([
    "2026-11-01",
    "(3 more)",
  ]);
  expect(cells(["day", "server"], { day: "2026-11-01", server: "x" })).toEqual([
    "2026-11-01",
    { name: "x", columnsMax: 256 },
  ]);
  expect(
    cells(["session"], { session_id: "s", began_local: "now", server: "x", client: null }),
  ).toEqual([{ name: "s", columnsMax: 256 }, "now", { name: "x", columnsMax: 256 }, "(unknown)"]);
});
