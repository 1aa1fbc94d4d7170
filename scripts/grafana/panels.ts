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

/**
 * The function by which sums of a period are read, by the way in which metrics come. A session of cumulative sums is a series of
 * its own, which often has a single point: `increase` would be 0, its last value is its sum.
 */
export const sumModes = [
  { label: "OTLP with cumulative sums", value: "last_over_time" },
  { label: "OTLP with delta sums", value: "sum_over_time" },
  { label: "mcp-meter metrics", value: "increase" },
] as const;

const server = 'mcp_meter_server=~"$server"';
const calls = `mcp_method_name="tools/call",${server}`;

/** The sum of a counter by some labels in the whole period, or in each step. */
function summed(counter: string, by: string, matchers: string, range = "$__range"): string {
  return `sum by (${by}) ($sums(${counter}{${matchers}}[${range}]))`;
}

function errorShare(by: string, range: string): string {
  const count = "mcp_server_operation_duration_seconds_count";
  const failed = `${calls},error_type!=""`;
  return `${summed(count, by, failed, range)} / ${summed(count, by, calls, range)}`;
}

const tool = "gen_ai_tool_name";
const toolLegend = "{{gen_ai_tool_name}}";

/** The panels in the order of the page. */
export const panels: readonly PanelSpec[] = [
  {
    title: "Tokens",
    describe: "Tokens that entered contexts: arguments, results and definitions",
    kind: "number",
    unit: "short",
    width: 6,
    expr: `sum($sums(mcp_meter_tokens_total{${server}}[$__range]))`,
    legend: "tokens",
  },
  {
    title: "Calls",
    describe: "Calls of tools",
    kind: "number",
    unit: "short",
    width: 6,
    expr: `sum($sums(mcp_server_operation_duration_seconds_count{${calls}}[$__range]))`,
    legend: "calls",
  },
  {
    title: "Errors",
    describe: "Share of calls that failed, or were refused, cancelled or not answered",
    kind: "number",
    unit: "percentunit",
    width: 6,
    expr: `sum($sums(mcp_server_operation_duration_seconds_count{${calls},error_type!=""}[$__range])) / sum($sums(mcp_server_operation_duration_seconds_count{${calls}}[$__range]))`,
    legend: "errors",
  },
  {
    title: "Calls over budget",
    describe: "Calls that did not fit a budget, enforced or not",
    kind: "number",
    unit: "short",
    width: 6,
    expr: `sum($sums(mcp_meter_budget_breaches_total{${server}}[$__range]))`,
    legend: "breaches",
  },
  {
    title: "Tokens by tool",
    describe: "Arguments and results; the 20 tools with the most",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: `topk(20, ${summed("mcp_meter_tokens_total", tool, calls)})`,
    legend: toolLegend,
  },
  {
    title: "Tokens by part",
    describe: "Arguments and results of calls, and definitions with instructions",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: summed("mcp_meter_tokens_total", "mcp_meter_server, mcp_meter_part", server),
    legend: "{{mcp_meter_server}} {{mcp_meter_part}}",
  },
  {
    title: "Tokens over time",
    describe: "By tool. With cumulative sums of OTLP: the tokens so far of sessions that ran then",
    kind: "stack",
    unit: "short",
    width: 24,
    expr: summed("mcp_meter_tokens_total", tool, calls, "$__interval"),
    legend: toolLegend,
  },
  {
    title: "Size of calls, p95",
    describe: "Tokens of arguments and result that 95 % of calls do not exceed, by bucket",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: `histogram_quantile(0.95, ${summed("mcp_meter_call_tokens_bucket", `le, ${tool}`, calls)})`,
    legend: toolLegend,
  },
  {
    title: "Duration of calls, p95",
    describe: "Time from request to answer that 95 % of calls do not exceed, by bucket",
    kind: "bars",
    unit: "s",
    width: 12,
    expr: `histogram_quantile(0.95, ${summed("mcp_server_operation_duration_seconds_bucket", `le, ${tool}`, calls)})`,
    legend: toolLegend,
  },
  {
    title: "Errors by tool",
    describe: "Share of calls that failed, or were refused, cancelled or not answered",
    kind: "bars",
    unit: "percentunit",
    width: 12,
    expr: errorShare(tool, "$__range"),
    legend: toolLegend,
  },
  {
    title: "Budgets",
    describe: "Part of each budget that is used",
    kind: "bars",
    unit: "percentunit",
    width: 12,
    expr: `max by (mcp_meter_server, mcp_meter_budget) (last_over_time(mcp_meter_budget_used_ratio{${server}}[$__range]))`,
    legend: "{{mcp_meter_server}} {{mcp_meter_budget}}",
  },
  {
    title: "Calls over budget, by budget",
    describe: "Calls that did not fit a budget, with its action",
    kind: "bars",
    unit: "short",
    width: 12,
    expr: summed("mcp_meter_budget_breaches_total", "mcp_meter_budget, mcp_meter_action", server),
    legend: "{{mcp_meter_budget}} {{mcp_meter_action}}",
  },
  {
    title: "Definitions",
    describe: "Tokens of the list of tools of each server, as it lists them",
    kind: "lines",
    unit: "short",
    width: 12,
    expr: `max by (mcp_meter_server) (last_over_time(mcp_meter_definitions_tokens{${server}}[$__range]))`,
    legend: "{{mcp_meter_server}}",
  },
];
