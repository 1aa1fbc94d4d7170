import { PanelBuilder as BarGauge } from "@grafana/grafana-foundation-sdk/bargauge";
import type { Builder } from "@grafana/grafana-foundation-sdk/cog";
import {
  BarGaugeDisplayMode,
  GraphDrawStyle,
  StackingConfigBuilder,
  StackingMode,
  VizOrientation,
} from "@grafana/grafana-foundation-sdk/common";
import {
  DashboardBuilder,
  DatasourceVariableBuilder,
  type Panel,
  QueryVariableBuilder,
  VariableRefresh,
} from "@grafana/grafana-foundation-sdk/dashboard";
import { DataqueryBuilder } from "@grafana/grafana-foundation-sdk/prometheus";
import { PanelBuilder as StatPanel } from "@grafana/grafana-foundation-sdk/stat";
import { PanelBuilder as TimeSeries } from "@grafana/grafana-foundation-sdk/timeseries";
import { panelsFor, type PanelSpec, type Way } from "./panels.ts";

const source = { type: "prometheus", uid: "${datasource}" };

/** The dashboard for metrics that come in this way, as Grafana imports it, with a line end. */
export function dashboardJson(way: Way): string {
  const dashboard = new DashboardBuilder(way.title)
    .uid(`mcp-meter-${way.id}`)
    .description("Tokens, durations, errors and budgets of MCP servers, by mcp-meter")
    .tags(["mcp", "mcp-meter"])
    .time({ from: "now-24h", to: "now" })
    .refresh("1m")
    .withVariable(
      new DatasourceVariableBuilder("datasource").label("Data source").type("prometheus"),
    )
    .withVariable(
      new QueryVariableBuilder("server")
        .label("Server")
        .datasource(source)
        .query("label_values(mcp_meter_tokens_total, mcp_meter_server)")
        .refresh(VariableRefresh.OnTimeRangeChanged)
        .multi(true)
        .includeAll(true)
        .allValue(".*")
        .current({ text: "All", value: "$__all", selected: true }),
    );
  for (const panel of panelsFor(way)) dashboard.withPanel(panelOf(panel));
  return `${JSON.stringify(dashboard.build(), undefined, 2)}\n`;
}

function panelOf(spec: PanelSpec): Builder<Panel> {
  switch (spec.kind) {
    case "number":
      return filled(new StatPanel(), spec);
    case "bars":
      return filled(
        new BarGauge()
          .displayMode(BarGaugeDisplayMode.Basic)
          .orientation(VizOrientation.Horizontal),
        spec,
      );
    case "stack":
      return filled(
        new TimeSeries()
          .drawStyle(GraphDrawStyle.Bars)
          .fillOpacity(80)
          .stacking(new StackingConfigBuilder().mode(StackingMode.Normal)),
        spec,
      );
    case "lines":
      return filled(new TimeSeries(), spec);
  }
}

/** The methods that all kinds of panels have. */
type AnyPanel<Self> = Builder<Panel> & {
  title(title: string): Self;
  description(text: string): Self;
  unit(unit: string): Self;
  span(width: number): Self;
  height(height: number): Self;
  datasource(of: typeof source): Self;
  withTarget(target: DataqueryBuilder): Self;
};

function filled<Self extends AnyPanel<Self>>(panel: Self, spec: PanelSpec): Self {
  const { title, describe, unit, width, expr, legend, kind } = spec;
  const query = new DataqueryBuilder()
    .datasource(source)
    .refId("A")
    .expr(expr)
    .legendFormat(legend);
  const isMoment = kind === "number" || kind === "bars";
  return panel
    .title(title)
    .description(describe)
    .unit(unit)
    .span(width)
    .height(kind === "number" ? 4 : 9)
    .datasource(source)
    .withTarget(isMoment ? query.instant() : query.range());
}
