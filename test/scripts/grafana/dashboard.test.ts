import { describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { dashboardJson } from "../../../scripts/grafana/dashboard.ts";
import { panelsFor, ways } from "../../../scripts/grafana/panels.ts";

const folder = join(import.meta.dir, "..", "..", "..", "docs", "grafana");

test("docs/grafana has a dashboard for each way, and no other", () => {
  const names = ways.map(({ id }) => `mcp-meter-${id}.json`);
  expect(readdirSync(folder).toSorted()).toEqual(names.toSorted());
});

describe.each(ways.map((way) => [way.id, way] as const))("%s", (id, way) => {
  const file = join(folder, `mcp-meter-${id}.json`);

  test("the file is made by bun scripts/grafana.ts", async () => {
    expect(await Bun.file(file).json()).toEqual(JSON.parse(dashboardJson(way)));
  });

  test("each panel has its query, and the data source of the page", async () => {
    const dashboard = await Bun.file(file).json();
    const made = dashboard.panels.map((panel: Record<string, unknown>) => [
      panel["title"],
      panel["targets"],
      panel["datasource"],
    ]);
    const datasource = { type: "prometheus", uid: "${datasource}" };
    expect(made).toEqual(
      panelsFor(way).map(({ title, expr }) => [
        title,
        [expect.objectContaining({ expr, datasource })],
        datasource,
      ]),
    );
  });

  test("panels fill rows of 24 columns", () => {
    let left = 24;
    for (const { title, width } of panelsFor(way)) {
      expect([title, width <= left]).toEqual([title, true]);
      left = left === width ? 24 : left - width;
    }
    expect(left).toBe(24);
  });
});
