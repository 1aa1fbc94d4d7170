// Real sessions in a real VictoriaMetrics. It is not in Debian's stable releases, so this is the long form, not the gate's.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Way, ways } from "../../scripts/grafana/panels.ts";
import { openExporter } from "#sinks/otlp/open-otlp.ts";
import { callRecord, sessionRecord } from "../support/made-records.ts";
import { exportedReadings, exportsBefore, lastHour } from "../support/panel-history.ts";
import { grownPanels, panelValues } from "../support/panel-queries.ts";
import { legacy } from "../support/servers.ts";
import { startVictoriaMetrics, type VictoriaMetrics } from "../support/victoria-metrics.ts";
import { legacyInput } from "./lines.ts";
import { type Home, makeHome, recordsIn, runMeter, waitMaxMs } from "./run.ts";

const program = process.env["VICTORIA_METRICS"] ?? Bun.which("victoria-metrics") ?? "";
const isThere = program !== "";
if (!isThere) {
  console.warn(
    "victoria-metrics is missing: sessions in a real VictoriaMetrics not run; install the package victoria-metrics of Debian sid, or name the program in VICTORIA_METRICS",
  );
}

let home: Home;
let engine: VictoriaMetrics;

beforeEach(async () => {
  if (!isThere) return;
  home = makeHome();
  engine = await startVictoriaMetrics(program, "-retentionPeriod=100y", "-search.latencyOffset=0s");
});

afterEach(async () => {
  if (!isThere) return;
  await engine.end();
  home.remove();
});

const input = legacyInput([
  ["echo", { message: "hello" }],
  ["weather", { city: "Lisbon" }],
  ["fail", {}],
]);

/** Plays three sessions at once. */
async function playThree(env: Readonly<Record<string, string>>): Promise<void> {
  const budget = ["--budget", "echo=1/session:warn"];
  const options = [...budget, "--summary", "off", "--otlp", `${engine.url}/opentelemetry`];
  const runs = [1, 2, 3].map(() =>
    runMeter(home, [...options, "--", ...legacy().argv], { input, env }),
  );
  for (const { status } of await Promise.all(runs)) expect(status).toBe(0);
  await engine.flush();
}

/** Tokens by tool, as the records have them. */
async function recordedTokens(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const file of home.logs()) {
    for (const { type, tool, total_tokens: tokens } of recordsIn(await Bun.file(file).text())) {
      if (type === "call") sums[String(tool)] = (sums[String(tool)] ?? 0) + Number(tokens);
    }
  }
  return sums;
}

/** The tokens of the days of a record file, as the engine adds them up. */
async function sendDays(file: string): Promise<string> {
  const run = await runMeter(home, ["report", file, "--otlp", `${engine.url}/opentelemetry`]);
  expect(run).toMatchObject({ status: 0 });
  await engine.flush();
  const query = "sum(sum_over_time(max_over_time(mcp_meter_day_tokens[1d])[30d:1d]))";
  const body = new URLSearchParams({ query, time: "2026-09-20T00:00:00Z", nocache: "1" });
  return (await fetch(`${engine.url}/api/v1/query`, { method: "POST", body })).text();
}

test.if(isThere)(
  "days that are sent twice have the tokens of the records once",
  async () => {
    const days = [1, 2, 3].map((day) =>
      callRecord({ seq: day, ts: `2026-09-0${day}T12:00:00.000Z`, output_tokens: 100 * day }),
    );
    const lines = [sessionRecord(), ...days].map((record) => `${JSON.stringify(record)}\n`);
    const file = `${home.path}/days.ndjson`;
    await Bun.write(file, lines.join(""));
    expect(await sendDays(file)).toContain(',"630"]');
    expect(await sendDays(file)).toContain(',"630"]');
  },
  waitMaxMs,
);

const delta = { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" };
const [cumulativeSums, deltaSums] = ["otlp", "otlp-delta"].map((id) => {
  const way = ways.find((one) => one.id === id);
  if (!way) throw new Error(`${id} is not a way`);
  return way;
}) as [Way, Way];
const hourMs = 3_600_000;

test.if(isThere).each([
  ["cumulative", cumulativeSums, {}],
  ["delta", deltaSums, delta],
])(
  "three sessions at once, %s sums: every panel has the numbers of the records, and an hour later none",
  async (_name, way, env) => {
    await playThree(env);
    const values = await panelValues(engine.url, way);
    const tokens = await recordedTokens();
    expect(values["Tokens by tool"]).toEqual(tokens);
    expect(values["Tokens over time"]).toEqual(tokens);
    expect(values["Calls"]).toEqual({ calls: 9 });
    expect(values["Errors"]).toEqual({ errors: 0.333333 });
    expect(values["Errors by tool"]).toEqual({ fail: 1 });
    for (const title of ["Duration of calls, p95", "Size of calls, p95"]) {
      expect(Object.keys(values[title] ?? {}).toSorted()).toEqual(Object.keys(tokens).toSorted());
    }
    expect(values["Calls over budget"]).toEqual({ breaches: 3 });
    expect(values["Definitions"]).toHaveProperty("legacy-fixture");
    const budgets = Object.keys(values["Budgets"] ?? {});
    expect(budgets).toEqual(["legacy-fixture echo=1/session:warn"]);
    expect(grownPanels(await panelValues(engine.url, way, Date.now() + hourMs))).toEqual([]);
  },
  waitMaxMs,
);

test.if(isThere)(
  "five hours of sessions with cumulative sums: every panel has what the last hour added, and nothing of it an hour later",
  async () => {
    const endMs = Date.parse("2026-09-01T12:00:00Z");
    const options = { url: `${engine.url}/opentelemetry`, hasSpans: false };
    const { sendMetrics } = await openExporter(options, {}, waitMaxMs);
    const exports = exportedReadings(exportsBefore(endMs), "cumulative");
    for (const { atMs, session, readings } of exports) {
      const resource = { "mcp_meter.server": "garden", "service.instance.id": session };
      await sendMetrics([{ startMs: atMs - hourMs, endMs: atMs, readings }], resource);
    }
    await engine.flush();
    expect(await panelValues(engine.url, cumulativeSums, endMs)).toMatchObject(lastHour);
    expect(grownPanels(await panelValues(engine.url, cumulativeSums, endMs + hourMs))).toEqual([]);
  },
  waitMaxMs,
);
