/**
 * Simulates a fleet that sends telemetry to one VictoriaMetrics, with sums of each session and with differences, and extrapolates to a larger one:
 * `bun scripts/simulate-telemetry.ts [--meters 200] [--seconds 60] [--program victoria-metrics]`. A session of half an hour is
 * played in half a minute.
 */
import { parseArgs } from "node:util";
import { telemetryIntervalMs } from "#limits/telemetry.ts";
import { openExporter } from "#sinks/otlp/open-otlp.ts";
import { OtlpSink } from "#sinks/otlp/otlp-sink.ts";
import { callRecord, endRecord, sessionRecord } from "../test/support/made-records.ts";
import { startVictoriaMetrics, type VictoriaMetrics } from "../test/support/victoria-metrics.ts";
import { fleet, rounded } from "./simulation/fleet.ts";

/** Assumptions that concern telemetry alone. */
const assumptions = {
  ...fleet,
  sessionMinutes: 30,
  /** Tools that a session calls, of one server. */
  toolsPerSession: 6,
  serversOfFleet: 30,
} as const;

/** Simulated time passes that many times as fast. */
const speed = 60;

/** People do not begin at the same moment. */
const rampMs = 5_000;

/** An export has time until the next one: the machine of the simulation is shared with the engine. */
const exportMaxMs = 10_000;

type Temporality = "cumulative" | "delta";

type Load = { readonly sessions: number; readonly calls: number; readonly failures: number };

/** Numbers of the engine about itself. */
const numbers = {
  points: ["vm_rows_inserted_total", "opentelemetry"],
  requests: ["vm_http_requests_total", "/opentelemetry/v1/metrics"],
  series: ["vm_new_timeseries_created_total", ""],
  bytesIn: ["vm_tcplistener_read_bytes_total", ""],
  processorSeconds: ["process_cpu_seconds_total", ""],
} as const;

type Measured = Load & { readonly seconds: number; readonly bytesOnDisk: number } & {
  readonly [Name in keyof typeof numbers]: number;
};

/** One session; false when an export of it failed. */
async function simulateSession(url: string): Promise<boolean> {
  let isSound = true;
  const sink = new OtlpSink({
    hasSpans: false,
    open: () => openExporter({ url, hasSpans: false }, {}, exportMaxMs),
    failed: () => {
      isSound = false;
    },
    intervalMs: telemetryIntervalMs / speed,
  });
  const server = `server-${Math.floor(Math.random() * assumptions.serversOfFleet)}`;
  const shared = { session_id: crypto.randomUUID(), server };
  sink.take(sessionRecord({ ...shared, ts: new Date().toISOString() }));
  const pauseMs = (assumptions.sessionMinutes * 60_000) / assumptions.callsPerSession / speed;
  for (let call = 0; call < assumptions.callsPerSession; call += 1) {
    await Bun.sleep(pauseMs * 2 * Math.random());
    const tool = `tool-${call % assumptions.toolsPerSession}`;
    sink.take(callRecord({ ...shared, tool, ts: new Date().toISOString() }));
  }
  sink.take(endRecord({ ...shared, ts: new Date().toISOString() }));
  await sink.close();
  return isSound;
}

/** Whole sessions, one after the other, until the time is up. */
async function simulateMeter(url: string, untilMs: number): Promise<Load> {
  let [sessions, failures] = [0, 0];
  while (performance.now() < untilMs) {
    if (!(await simulateSession(url))) failures += 1;
    sessions += 1;
  }
  return { sessions, calls: sessions * assumptions.callsPerSession, failures };
}

async function play(
  url: string,
  temporality: Temporality,
  { meters, seconds }: Size,
): Promise<Load> {
  const untilMs = performance.now() + seconds * 1000;
  // A variable of the exporter's package, which reads those of the process.
  process.env["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"] = temporality;
  const played = Array.from({ length: meters }, async (_, index) => {
    await Bun.sleep((index * rampMs) / meters);
    return simulateMeter(url, untilMs);
  });
  const loads = await Promise.all(played);
  const sum = (name: keyof Load): number => loads.reduce((total, load) => total + load[name], 0);
  return { sessions: sum("sessions"), calls: sum("calls"), failures: sum("failures") };
}

type Size = { readonly meters: number; readonly seconds: number };

async function numbersOf(engine: VictoriaMetrics): Promise<Record<keyof typeof numbers, number>> {
  const { points, requests, series, bytesIn, processorSeconds } = numbers;
  return {
    points: await engine.number(...points),
    requests: await engine.number(...requests),
    series: await engine.number(...series),
    bytesIn: await engine.number(...bytesIn),
    processorSeconds: await engine.number(...processorSeconds),
  };
}

async function measure(program: string, temporality: Temporality, size: Size): Promise<Measured> {
  const engine = await startVictoriaMetrics(program);
  try {
    const before = await numbersOf(engine);
    const startedMs = performance.now();
    const load = await play(`${engine.url}/opentelemetry`, temporality, size);
    const seconds = (performance.now() - startedMs) / 1000;
    const after = await numbersOf(engine);
    await engine.flush();
    const grown = (name: keyof typeof numbers): number => after[name] - before[name];
    return {
      ...load,
      seconds,
      points: grown("points"),
      requests: grown("requests"),
      series: grown("series"),
      bytesIn: grown("bytesIn"),
      processorSeconds: grown("processorSeconds"),
      bytesOnDisk: await engine.number("vm_data_size_bytes"),
    };
  } finally {
    await engine.end();
  }
}

function extrapolate(measured: Measured, temporality: Temporality): Record<string, number> {
  const { developers, sessionsPerDay, workingHours, peakFactor } = assumptions;
  const sessionsPerDayOfAll = developers * sessionsPerDay;
  const perSession = (value: number): number => value / measured.sessions;
  const perSecond = sessionsPerDayOfAll / (workingHours * 3600);
  const atPeak = (value: number): number => perSession(value) * perSecond * peakFactor;
  return {
    "sessions per day": sessionsPerDayOfAll,
    // Sums of a session are series of its own; differences share those of the server and the tool.
    "new series per day":
      temporality === "cumulative"
        ? perSession(measured.series) * sessionsPerDayOfAll
        : measured.series,
    "requests per second, peak": atPeak(measured.requests),
    "points per second, peak": atPeak(measured.points),
    "GB sent per day": (perSession(measured.bytesIn) * sessionsPerDayOfAll) / 1e9,
    "GB on the disk per day": (perSession(measured.bytesOnDisk) * sessionsPerDayOfAll) / 1e9,
    "processor of the engine at the peak, cores": atPeak(measured.processorSeconds),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      meters: { type: "string", default: "200" },
      seconds: { type: "string", default: "60" },
      program: { type: "string", default: "victoria-metrics" },
    },
  });
  const program = Bun.which(values.program);
  if (program === null) {
    console.error(
      `"${values.program}" is missing: install the package victoria-metrics of Debian sid, or name the program with --program`,
    );
    process.exit(2);
  }
  const size = { meters: Number(values.meters), seconds: Number(values.seconds) };
  console.log(`assumed\n${rounded(assumptions)}`);
  for (const temporality of ["cumulative", "delta"] as const) {
    const measured = await measure(program, temporality, size);
    console.log(`\nmeasured with ${size.meters} meters, ${temporality}\n${rounded(measured)}`);
    console.log(`\nextrapolated, ${temporality}\n${rounded(extrapolate(measured, temporality))}`);
  }
}
