import type { MeterRecord } from "#records/record.ts";
import { FleetMetrics, formatPrometheus } from "#history/telemetry/prometheus.ts";
import {
  attributeNames,
  type MetricReading,
  type Temporality,
} from "#history/telemetry/metric-definitions.ts";
import { SessionMetrics } from "#history/telemetry/session-metrics.ts";
import {
  breachRecord,
  callRecord,
  definitionsRecord,
  endRecord,
  sessionRecord,
  toolDefinition,
} from "./made-records.ts";

type Export = {
  readonly atMs: number;
  readonly session: string;
  readonly records: readonly MeterRecord[];
};

const minuteMs = 60_000;

const okCall = { tool: "a", input_tokens: 10, output_tokens: 100 };
const failedCall = {
  tool: "b",
  input_tokens: 5,
  output_tokens: 20,
  duration_ms: 700,
  outcome: "tool_error",
} as const;

const tools = [toolDefinition("a", 100), toolDefinition("b", 200)];
const listed = { tools, total_tokens: 300, resident_tokens: 300 };

function ended(spent: number): MeterRecord {
  const limit = { budget: "2M/day", tool: null, limit: 2_000_000, unit: "tokens", per: "day" };
  return endRecord({ budgets: [{ ...limit, spent, reached: false }] } as object);
}

export function exportsBefore(endMs: number): readonly Export[] {
  const breaches = [1, 2].map(() => breachRecord({ budget: "2M/day", tool: "b", action: "error" }));
  const before = (minutes: number): number => endMs - minutes * minuteMs + 7_000;
  const all = [definitionsRecord(listed), callRecord(okCall), callRecord(failedCall), ...breaches];
  return [
    { atMs: before(300), session: "past", records: [sessionRecord(), ...all, ended(0)] },
    {
      atMs: before(240),
      session: "long",
      records: [sessionRecord(), ...Array.from({ length: 9 }, () => callRecord(failedCall))],
    },
    { atMs: before(170), session: "short", records: [sessionRecord(), callRecord(okCall)] },
    { atMs: before(30), session: "long", records: [callRecord(okCall)] },
    {
      atMs: before(20),
      session: "recent",
      records: [
        sessionRecord(),
        definitionsRecord(listed),
        ...[1, 2].map(() => callRecord(okCall)),
        callRecord(failedCall),
        ...breaches,
        ended(1_800_000),
      ],
    },
  ];
}

/** What the last hour of this traffic added, by hand: the 95th percentile lies at 95 % of the way through the only bucket that is used. */
export const lastHour = {
  Tokens: { tokens: 655 },
  Calls: { calls: 4 },
  Errors: { errors: 0.25 },
  "Calls over budget": { breaches: 2 },
  "Tokens by tool": { a: 330, b: 25 },
  "Tokens by part": { "garden arguments": 35, "garden result": 320, "garden definitions": 300 },
  "Tokens over time": { a: 330, b: 25 },
  "Size of calls, p95": { a: 246.4, b: 61.6 },
  "Duration of calls, p95": { a: 0.0195, b: 0.975 },
  "Errors by tool": { b: 1 },
  Budgets: { "garden 2M/day": 0.9 },
  "Calls over budget, by budget": { "2M/day error": 2 },
  Definitions: { garden: 300 },
};

type ExportedReadings = {
  readonly atMs: number;
  readonly session: string;
  readonly readings: readonly MetricReading[];
};

function exportedReadings(
  exports: readonly Export[],
  temporality: Temporality,
): readonly ExportedReadings[] {
  const sessions = new Map<string, SessionMetrics>();
  return exports.map(({ atMs, session, records }) => {
    const metrics = sessions.get(session) ?? new SessionMetrics();
    sessions.set(session, metrics);
    for (const record of records) metrics.take(record);
    const readings = metrics.readAll(temporality);
    metrics.confirmAll();
    return { atMs, session, readings };
  });
}

export function otlpSamples(exports: readonly Export[], temporality: Temporality): string {
  const lines = exportedReadings(exports, temporality).flatMap(({ atMs, session, readings }) => {
    const instance = temporality === "cumulative" ? { instance: session } : {};
    const labels = { [attributeNames.server]: "garden", ...instance };
    const labelled = readings.map(({ instrument, points }) => ({
      instrument,
      points: points.map(({ attributes, values }) => ({
        attributes: { ...labels, ...attributes },
        values,
      })),
    }));
    return samplesOf(labelled, atMs);
  });
  return `${lines.join("\n")}\n# EOF\n`;
}

export function scrapedSamples(exports: readonly Export[], endMs: number): string {
  const waiting = [...exports];
  const fleet = new FleetMetrics();
  const lines: string[] = [];
  for (let minute = -300; minute <= 62; minute += 1) {
    const atMs = endMs + minute * minuteMs;
    while (waiting[0] && waiting[0].atMs <= atMs) {
      const { session, records } = waiting.shift() ?? { session: "", records: [] };
      for (const record of records) fleet.take({ ...record, session_id: session });
    }
    fleet.addBudget({ server: "garden", budget: "2M/day", user: null, share: 0.9 });
    lines.push(...samplesOf(fleet.readAll(), atMs));
  }
  return `${lines.join("\n")}\n# EOF\n`;
}

function samplesOf(readings: readonly MetricReading[], atMs: number): string[] {
  return formatPrometheus(readings)
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => `${line} ${atMs / 1000}`);
}
