/** One panel: its query, with variables of Grafana, and its form. */
export type PanelSpec = {
  readonly title: string;
  readonly describe: string;
  readonly kind: "number" | "bars" | "stack" | "lines";
  /** As Grafana names it. */
  readonly unit: string;
  /** Of 24 columns. */
  readonly width: number;
  readonly expr: string;
  readonly legend: string;
};

/** A way by which metrics come, with a dashboard and a file of rules of its own. */
export type Way = {
  /** The end of the names of both files: `mcp-meter-otlp.json`. */
  readonly id: string;
  readonly title: string;
  /** How much the counters that this selects have grown in a period before now, by series. */
  readonly growth: (selector: string, range: string) => string;
};

/** For so long the sum before a period is looked up: sessions without news send theirs every half day. */
const lookBack = "1d";

/**
 * A session is a series that begins at its first value, which `increase` would lose; and its last value alone is that of its
 * whole life.
 */
const cumulativeSums: Way = {
  id: "otlp",
  title: "MCP servers, by OTLP with cumulative sums",
  growth: (selector, range) => {
    const last = `last_over_time(${selector}[${range}])`;
    return `${last} - last_over_time(${selector}[${lookBack}] offset ${range}) or ${last}`;
  },
};

const deltaSums: Way = {
  id: "otlp-delta",
  title: "MCP servers, by OTLP with delta sums",
  growth: (selector, range) => `sum_over_time(${selector}[${range}])`,
};

const recordedSums: Way = {
  id: "metrics",
  title: "MCP servers, by mcp-meter metrics",
  growth: (selector, range) => `increase(${selector}[${range}])`,
};

export const ways: readonly Way[] = [cumulativeSums, deltaSums, recordedSums];

const server = 'mcp_meter_server=~"$server"';
const calls = `mcp_method_name="tools/call",${server}`;
const failedCalls = `${calls},error_type!=""`;
const durations = "mcp_server_operation_duration_seconds";
const tool = "gen_ai_tool_name";
const toolLegend = "{{gen_ai_tool_name}}";

/** The growth of the counters that a selector has, in all and by some labels: in the whole period, or in another one. */
type Growth = {
  readonly all: (selector: string) => string;
  readonly by: (labels: string, selector: string, range?: string) => string;
};

type Panel = Omit<PanelSpec, "expr"> & { readonly expr: (growth: Growth) => string };

/** The panels in the order of the page. */
const panels: readonly Panel[] = [
  {
    title: "Tokens",
    describe: "Tokens that entered contexts: arguments, results and definitions",
    kind: "number",
    unit: "short",
    width: 6,
    expr: ({ all }) => all(`mcp_meter_tokens_total{${server}}`),
    legend: "tokens",
  },
  {
    title: "Calls",
    describe: "Calls of tools",
    kind: "number",
    unit: "short",
    width: 6,
    expr: ({ all }) => all(`${durations}_count{${calls}}`),
    legend: "calls",
  },
  {
    title: "Errors",
    describe: "Share of calls that failed, or were refused, cancelled or not answered",
    kind: "number",
    unit: "percentunit",
    width: 6,
    expr: ({ all }) =>
      `${all(`${durations}_count{${failedCalls}}`)} / ${all(`${durations}_count{${calls}}`)}`,
    legend: "errors",
  },
  {
    title: "Calls over budget",
    describe: "Calls that did not fit a budget, enforced or not",
    kind: "number",
    unit: "short",
    width: 6,
    expr: ({ all }) => all(`mcp_meter_budget_breaches_total{${server}}`),
    legend: "breaches",
  },
  {
    title: "Tokens by tool",
    describe: "Arguments and results; the 20 tools with the most",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: ({ by }) => `topk(20, ${by(tool, `mcp_meter_tokens_total{${calls}}`)})`,
    legend: toolLegend,
  },
  {
    title: "Tokens by part",
    describe: "Arguments and results of calls, and definitions with instructions",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: ({ by }) => by("mcp_meter_server, mcp_meter_part", `mcp_meter_tokens_total{${server}}`),
    legend: "{{mcp_meter_server}} {{mcp_meter_part}}",
  },
  {
    title: "Tokens over time",
    describe: "By tool, in each step",
    kind: "stack",
    unit: "short",
    width: 24,
    expr: ({ by }) => by(tool, `mcp_meter_tokens_total{${calls}}`, "$__interval"),
    legend: toolLegend,
  },
  {
    title: "Size of calls, p95",
    describe: "Tokens of arguments and result that 95 % of calls do not exceed, by bucket",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: ({ by }) =>
      `histogram_quantile(0.95, ${by(`le, ${tool}`, `mcp_meter_call_tokens_bucket{${calls}}`)})`,
    legend: toolLegend,
  },
  {
    title: "Duration of calls, p95",
    describe: "Time from request to answer that 95 % of calls do not exceed, by bucket",
    kind: "bars",
    unit: "s",
    width: 12,
    expr: ({ by }) =>
      `histogram_quantile(0.95, ${by(`le, ${tool}`, `${durations}_bucket{${calls}}`)})`,
    legend: toolLegend,
  },
  {
    title: "Errors by tool",
    describe: "Share of calls that failed, or were refused, cancelled or not answered",
    kind: "bars",
    unit: "percentunit",
    width: 12,
    expr: ({ by }) =>
      `${by(tool, `${durations}_count{${failedCalls}}`)} / ${by(tool, `${durations}_count{${calls}}`)}`,
    legend: toolLegend,
  },
  {
    title: "Budgets",
    describe: "Part of each budget that is used",
    kind: "bars",
    unit: "percentunit",
    width: 12,
    expr: () =>
      `max by (mcp_meter_server, mcp_meter_budget) (last_over_time(mcp_meter_budget_used_ratio{${server}}[$__range]))`,
    legend: "{{mcp_meter_server}} {{mcp_meter_budget}}",
  },
  {
    title: "Calls over budget, by budget",
    describe: "Calls that did not fit a budget, with its action",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: ({ by }) =>
      by("mcp_meter_budget, mcp_meter_action", `mcp_meter_budget_breaches_total{${server}}`),
    legend: "{{mcp_meter_budget}} {{mcp_meter_action}}",
  },
  {
    title: "Definitions",
    describe: "Tokens of the list of tools of each server, as it lists them",
    kind: "lines",
    unit: "short",
    width: 12,
    expr: () =>
      `max by (mcp_meter_server) (last_over_time(mcp_meter_definitions_tokens{${server}}[$__range]))`,
    legend: "{{mcp_meter_server}}",
  },
];

/** The panels, with queries for metrics that come in this way. */
export function panelsFor({ growth }: Way): readonly PanelSpec[] {
  const whole = "$__range";
  const queries: Growth = {
    all: (selector) => `sum(${growth(selector, whole)})`,
    by: (labels, selector, range = whole) => `sum by (${labels}) (${growth(selector, range)})`,
  };
  return panels.map((panel) => ({ ...panel, expr: panel.expr(queries) }));
}
