import { expect, test } from "bun:test";
import { instruments } from "#history/telemetry/metric-definitions.ts";
import { formatPrometheus } from "#history/telemetry/prometheus.ts";
import { has } from "../../support/needs.ts";

const hasPromtool = has("promtool", "the text for Prometheus");

const readings = [
  {
    instrument: instruments.tokens,
    points: [
      {
        attributes: { "mcp_meter.part": "result", "gen_ai.tool.name": 'read "x"\\\n' },
        values: [1400],
      },
      { attributes: {}, values: [2 ** 53] },
    ],
  },
  {
    instrument: instruments.budgetUsed,
    points: [{ attributes: { a: "écrire" }, values: [0.8125] }],
  },
  {
    instrument: instruments.callTokens,
    points: [{ attributes: { a: "x" }, values: [1, 0, 2, 0, 0, 0, 0, 0, 1, 1_000_333] }],
  },
  { instrument: instruments.tokens, points: [{ attributes: { a: "y" }, values: [7] }] },
];

test("names are the ones that Prometheus gives to metrics it receives by OTLP", () => {
  const points = [{ attributes: {}, values: [] }];
  const text = formatPrometheus(
    Object.values(instruments).map((instrument) => ({ instrument, points })),
  );
  expect([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)).toEqual([
    "mcp_meter_tokens_total",
    "mcp_meter_call_tokens",
    "mcp_meter_definitions_tokens",
    "mcp_meter_budget_breaches_total",
    "mcp_meter_budget_used_ratio",
    "mcp_meter_counters_up",
    "mcp_server_operation_duration_seconds",
  ]);
});

test("the text has one block for each metric, escaped labels, and cumulative buckets", () => {
  expect(formatPrometheus(readings)).toBe(`\
# HELP mcp_meter_tokens_total Tokens of calls and of the definitions in the context.
# TYPE mcp_meter_tokens_total counter
mcp_meter_tokens_total{mcp_meter_part="result",gen_ai_tool_name="read \\"x\\"\\\\\\n"} 1400
mcp_meter_tokens_total 9007199254740992
mcp_meter_tokens_total{a="y"} 7
# HELP mcp_meter_budget_used_ratio Share of a budget that is spent, over 1 if exceeded; for a budget per tool, the largest share.
# TYPE mcp_meter_budget_used_ratio gauge
mcp_meter_budget_used_ratio{a="écrire"} 0.8125
# HELP mcp_meter_call_tokens Tokens of one call: arguments and result.
# TYPE mcp_meter_call_tokens histogram
mcp_meter_call_tokens_bucket{a="x",le="16"} 1
mcp_meter_call_tokens_bucket{a="x",le="64"} 1
mcp_meter_call_tokens_bucket{a="x",le="256"} 3
mcp_meter_call_tokens_bucket{a="x",le="1024"} 3
mcp_meter_call_tokens_bucket{a="x",le="4096"} 3
mcp_meter_call_tokens_bucket{a="x",le="16384"} 3
mcp_meter_call_tokens_bucket{a="x",le="65536"} 3
mcp_meter_call_tokens_bucket{a="x",le="262144"} 3
mcp_meter_call_tokens_bucket{a="x",le="+Inf"} 4
mcp_meter_call_tokens_sum{a="x"} 1000333
mcp_meter_call_tokens_count{a="x"} 4
`);
  expect(formatPrometheus([])).toBe("");
});

test.if(hasPromtool)("promtool finds nothing to complain about", () => {
  const all = Object.values(instruments).map((instrument) => {
    const isHistogram = instrument.kind === "histogram";
    const values = isHistogram ? [...instrument.bounds.map(() => 1), 1, 0.5] : [1];
    return { instrument, points: [{ attributes: { "error.type": "\u{1f600}" }, values }] };
  });
  const stdin = new TextEncoder().encode(formatPrometheus([...readings, ...all]));
  const { exitCode, stdout, stderr } = Bun.spawnSync(["promtool", "check", "metrics"], { stdin });
  expect(`${stdout.toString()}${stderr.toString()}`).toBe("");
  expect(exitCode).toBe(0);
});
