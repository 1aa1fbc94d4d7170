import { expect, test } from "bun:test";
import { join } from "node:path";
import { dashboardJson } from "../../../scripts/grafana/dashboard.ts";
import { panels } from "../../../scripts/grafana/panels.ts";

const file = join(import.meta.dir, "..", "..", "..", "docs", "grafana", "mcp-meter.json");

test("docs/grafana/mcp-meter.json is made by bun scripts/grafana.ts", async () => {
  expect(await Bun.file(file).json()).toEqual(JSON.parse(dashboardJson()));
});

test("each panel of the file has its query, and the data source of the page", async () => {
  const dashboard = await Bun.file(file).json();
  const made = dashboard.panels.map((panel: Record<string, unknown>) => [
    panel["title"],
    panel["targets"],
    panel["datasource"],
  ]);
  const datasource = { type: "prometheus", uid: "${datasource}" };
  expect(made).toEqual(
    panels.map(({ title, expr }) => [
      title,
      [expect.objectContaining({ expr, datasource })],
      datasource,
    ]),
  );
});

test("panels fill rows of 24 columns", () => {
  let left = 24;
  for (const { title, width } of panels) {
    expect([title, width <= left]).toEqual([title, true]);
    left = left === width ? 24 : left - width;
  }
  expect(left).toBe(24);
});
