import { afterEach, expect, test } from "bun:test";
import {
  earlyExportSpansMin,
  telemetryRepeatMs,
  waitingSpansMax,
  OtlpSink,
  type OtlpSinkDeps,
  type Exporter,
  type IdentifiedSpan,
  type PeriodReadings,
} from "#state/sinks/otlp/otlp-sink.ts";
import type { Attributes, Temporality } from "#history/telemetry/metric-definitions.ts";
import { callRecord, endRecord, sessionRecord } from "../../../support/made-records.ts";
import { eventually } from "../../../support/wait.ts";

const sinks: OtlpSink[] = [];

afterEach(async () => {
  for (const sink of sinks.splice(0)) await sink.close();
});

function made(overrides: Partial<OtlpSinkDeps> & { temporality?: Temporality } = {}) {
  const sent: { period: PeriodReadings; resource: Attributes }[] = [];
  const spans: IdentifiedSpan[] = [];
  const failures: string[] = [];
  const answers = { metrics: async (): Promise<void> => undefined, spans: async () => undefined };
  const exporter: Exporter = {
    temporality: overrides.temporality ?? "cumulative",
    sendMetrics: async (period, resource) => {
      sent.push({ period, resource });
      await answers.metrics();
    },
    sendSpans: async (batch) => {
      await answers.spans();
      spans.push(...batch);
    },
  };
  const sink = new OtlpSink({
    sendsSpans: false,
    open: async () => exporter,
    reportFailure: (what) => failures.push(what),
    ...overrides,
  });
  sinks.push(sink);
  const tokens = () =>
    sent.map(({ period }) => period.readings[0]?.points.map(({ values }) => values[0]));
  return { sink, sent, spans, failures, answers, tokens };
}

test("nothing is loaded or sent before the first export, nor for a session without calls", async () => {
  let opened = 0;
  const { sink, sent } = made({
    open: async () => {
      opened += 1;
      throw new Error("not wanted");
    },
  });
  sink.take(sessionRecord());
  await sink.flush();
  await sink.close();
  expect([opened, sent]).toEqual([0, []]);
});

test.each(["cumulative", "delta"] as const)(
  "without news, sums are sent again only after half a day, and only those of the session: %s",
  async (temporality) => {
    let nowMs = Date.parse("2026-09-01T13:00:00Z");
    const { sink, tokens } = made({ temporality, now: () => nowMs });
    sink.take(sessionRecord());
    sink.take(callRecord());
    await sink.flush();
    nowMs += telemetryRepeatMs - 1;
    sink.startExport();
    await sink.flush();
    nowMs += 1;
    sink.startExport();
    sink.startExport();
    await sink.flush();
    await sink.flush();
    const sums = [10, 100];
    expect(tokens()).toEqual(temporality === "cumulative" ? [sums, sums] : [sums]);
  },
);

test("an export has the sums since the first record, and the session as its instance", async () => {
  const { sink, sent, tokens } = made({ now: () => Date.parse("2026-09-01T13:00:00Z") });
  sink.take(sessionRecord());
  sink.take(callRecord());
  await sink.flush();
  sink.take(callRecord());
  await sink.close();
  expect(tokens()).toEqual([
    [10, 100],
    [20, 200],
  ]);
  expect(sent[1]?.period).toMatchObject({
    startMs: Date.parse("2026-09-01T12:00:00Z"),
    endMs: Date.parse("2026-09-01T13:00:00Z"),
  });
  expect(sent[0]?.resource).toMatchObject({
    "service.name": "mcp-meter",
    "service.instance.id": "session",
    "mcp_meter.server": "garden",
    "mcp_meter.client": "host",
    "mcp_meter.estimator": "chars3",
  });
});

test("delta: each period begins where the last one ended, without an instance; a lost one is in the next", async () => {
  let now = Date.parse("2026-09-01T13:00:00Z");
  const { sink, sent, tokens, answers, failures } = made({
    now: () => (now += 1000),
    temporality: "delta",
  });
  sink.take(sessionRecord());
  sink.take(callRecord());
  answers.metrics = async () => {
    throw new Error("HTTP 503");
  };
  sink.startExport();
  await eventually("a failure", () => failures.length > 0);
  answers.metrics = async () => undefined;
  sink.take(callRecord());
  await sink.flush();
  sink.take(callRecord({ input_tokens: 1, output_tokens: 2 }));
  await sink.close();
  expect(tokens()).toEqual([
    [10, 100],
    [20, 200],
    [1, 2],
  ]);
  expect(sent[2]?.period.startMs).toBe(sent[1]?.period.endMs as number);
  expect(sent[0]?.resource).not.toHaveProperty("service.instance.id");
  expect(failures).toEqual(["HTTP 503"]);
});

test("a client that names itself after the first export does not change the resource", async () => {
  const { sink, sent } = made();
  sink.take(sessionRecord({ client_name: null }));
  sink.take(callRecord());
  await sink.flush();
  sink.take(sessionRecord({ client_name: "late" }));
  sink.take(callRecord());
  await sink.close();
  expect(sent.map(({ resource }) => resource["mcp_meter.client"])).toEqual(["unknown", "unknown"]);
});

test("a backend that never answers costs the end of a session its bound once, and one failure", async () => {
  const { sink, answers, failures } = made();
  answers.metrics = () => Promise.withResolvers<void>().promise;
  sink.take(sessionRecord());
  sink.take(callRecord());
  const startedMs = performance.now();
  await sink.flush();
  sink.take(callRecord());
  await sink.close();
  expect(performance.now() - startedMs).toBeGreaterThan(1400);
  expect(failures).toEqual(["no answer in time"]);
});

test("after a failed flush the close does not try again", async () => {
  const { sink, sent, answers, failures } = made();
  answers.metrics = async () => {
    throw new Error("the connection was refused");
  };
  sink.take(sessionRecord());
  sink.take(callRecord());
  await sink.flush();
  await sink.close();
  expect(sent.length).toBeLessThanOrEqual(2);
  expect(failures).toEqual(["the connection was refused"]);
});

test("exports follow the interval", async () => {
  const { sink, sent } = made({ intervalMs: 5 });
  sink.take(sessionRecord());
  sink.take(callRecord());
  await eventually("the first export", () => sent.length === 1);
  sink.take(callRecord());
  await eventually("the second export", () => sent.length === 2);
  expect(sent).toHaveLength(2);
});

test("spans have ids of their own, and the trace of their caller", async () => {
  const { sink, spans } = made({ sendsSpans: true });
  sink.take(sessionRecord());
  sink.take(callRecord());
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  sink.take(callRecord({ traceparent }));
  await sink.close();
  const [unparented, called] = spans;
  expect([unparented?.traceId, unparented?.spanId, called?.spanId].map((id) => id?.length)).toEqual(
    [32, 16, 16],
  );
  expect(called?.traceId).toBe("4bf92f3577b34da6a3ce929d0e0e4736");
  expect(called?.spanId).not.toBe(unparented?.spanId as string);
});

test("many spans are exported early; those of a lost export come with the next; beyond the limit they are dropped", async () => {
  const { sink, spans, answers, failures, tokens } = made({ sendsSpans: true });
  sink.take(sessionRecord());
  for (let at = 0; at < earlyExportSpansMin; at++) sink.take(callRecord());
  await eventually("the spans", () => spans.length === earlyExportSpansMin);
  spans.length = 0;
  const lost = Promise.withResolvers<undefined>();
  answers.spans = () => lost.promise;
  for (let at = 0; at < earlyExportSpansMin; at++) sink.take(callRecord());
  await eventually("the export", () => tokens().length > 1);
  for (let at = 0; at <= waitingSpansMax; at++) sink.take(callRecord());
  expect(failures).toEqual([]);
  await eventually("the failure, after the records of this turn", () => failures.length > 0);
  expect(failures).toEqual(["spans were dropped"]);
  answers.spans = async () => undefined;
  lost.reject(new Error("HTTP 500"));
  await sink.flush();
  await sink.flush();
  expect(spans).toHaveLength(waitingSpansMax);
});

test("a record that cannot be taken is a failure of telemetry, and of nothing else", async () => {
  const { sink, failures } = made();
  sink.take(sessionRecord());
  const budgets = "not a list" as never;
  sink.take({ ...endRecord(), budgets: null as never });
  sink.take({ ...endRecord(), budgets });
  sink.take(callRecord());
  await eventually("the failure", () => failures.length > 0);
  expect(failures).toEqual(["TypeError"]);
});
