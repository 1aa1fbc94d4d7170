import { afterEach, expect, test } from "bun:test";
import { findEndpoint } from "#state/sinks/otlp/endpoint.ts";
import type { Exporter, PeriodReadings } from "#state/sinks/otlp/otlp-sink.ts";
import { createExporter } from "#state/sinks/otlp/protobuf.ts";
import { instruments } from "#history/telemetry/metric-definitions.ts";
import { openBackend, type OtlpBackend } from "../../../support/otlp-backend.ts";

const variables = [
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_COMPRESSION",
  "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE",
  "OTEL_RESOURCE_ATTRIBUTES",
  "OTEL_SERVICE_NAME",
];
let backend: OtlpBackend | undefined;

afterEach(async () => {
  for (const name of variables) delete process.env[name];
  await backend?.close();
  backend = undefined;
});

const period: PeriodReadings = {
  startMs: 1_795_000_000_000,
  endMs: 1_795_000_015_000.5,
  readings: [
    { instrument: instruments.tokens, points: [{ attributes: { a: "x" }, values: [2 ** 40] }] },
    { instrument: instruments.budgetUsed, points: [{ attributes: {}, values: [0.25] }] },
    { instrument: instruments.definitions, points: [{ attributes: {}, values: [120] }] },
    {
      instrument: instruments.callTokens,
      points: [{ attributes: { a: 1 }, values: [1, 0, 2, 0, 0, 0, 0, 0, 0, 333] }],
    },
  ],
};

function open(url: string, hasSpans = false): Exporter {
  const [metrics, traces] = [findEndpoint("metrics", url, {}), findEndpoint("traces", url, {})];
  if (!metrics) throw new Error(`${url} is not a URL`);
  return createExporter({ metrics, traces: hasSpans ? traces : undefined, timeoutMs: 5_000 });
}

test("metrics arrive with their kinds, units, values, attributes and times", async () => {
  backend = openBackend();
  const exporter = open(`${backend.url}/base`);
  await exporter.sendMetrics(period, { "service.name": "mcp-meter" });
  const [request] = backend.requests;
  expect(request?.path).toBe("/base/v1/metrics");
  expect(request?.headers.get("content-type")).toBe("application/x-protobuf");
  const shared = {
    resource: { "service.name": "mcp-meter" },
    startMs: 1_795_000_000_000,
    endMs: 1_795_000_015_000.5,
  };
  expect(request?.points).toEqual([
    expect.objectContaining({
      ...shared,
      metric: "mcp_meter.tokens",
      kind: "counter",
      value: 2 ** 40,
      temporality: "cumulative",
      attributes: { a: "x" },
    }),
    expect.objectContaining({
      metric: "mcp_meter.budget.used_ratio",
      kind: "gauge",
      unit: "1",
      value: 0.25,
    }),
    expect.objectContaining({
      metric: "mcp_meter.definitions.tokens",
      kind: "gauge",
      unit: "{token}",
      value: 120,
    }),
    expect.objectContaining({
      metric: "mcp_meter.call.tokens",
      kind: "histogram",
      temporality: "cumulative",
      count: 3,
      value: 333,
      buckets: [1, 0, 2, 0, 0, 0, 0, 0, 0],
      bounds: [16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144],
      attributes: { a: 1 },
    }),
  ]);
});

test("variables of OpenTelemetry: headers, compression, temporality, resource; ours keep their values", async () => {
  process.env["OTEL_EXPORTER_OTLP_HEADERS"] = "x-tenant=a%20b";
  process.env["OTEL_EXPORTER_OTLP_COMPRESSION"] = "gzip";
  process.env["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"] = "delta";
  process.env["OTEL_RESOURCE_ATTRIBUTES"] = "team=red,mcp_meter.server=forged,service.version=9";
  process.env["OTEL_SERVICE_NAME"] = "meters";
  backend = openBackend();
  const exporter = open(backend.url);
  await exporter.sendMetrics(period, { "service.name": "mcp-meter", "mcp_meter.server": "s" });
  const [request] = backend.requests;
  expect(exporter.temporality).toBe("delta");
  expect(request?.headers.get("x-tenant")).toBe("a b");
  expect(request?.headers.get("content-encoding")).toBe("gzip");
  expect(request?.points[0]).toMatchObject({
    temporality: "delta",
    resource: {
      "service.name": "meters",
      team: "red",
      "mcp_meter.server": "s",
      "service.version": "9",
    },
  });
});

test("hostile values of these variables send what a sound environment would", async () => {
  process.env["OTEL_EXPORTER_OTLP_HEADERS"] = "=,;\u0000=x,a\r\nb=c,x=%zz";
  process.env["OTEL_EXPORTER_OTLP_COMPRESSION"] = "../../zstd";
  process.env["OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE"] = "\u0000";
  process.env["OTEL_RESOURCE_ATTRIBUTES"] = `${"a=b,".repeat(10)}=,%,x`;
  backend = openBackend();
  const exporter = open(backend.url);
  await exporter.sendMetrics(period, { "service.name": "mcp-meter" }).catch(() => undefined);
  expect(exporter.temporality).toBe("cumulative");
});

test("credentials of the URL are sent as basic authentication", async () => {
  backend = openBackend();
  const exporter = open(backend.url.replace("//", "//me:secret@"));
  await exporter.sendMetrics(period, {});
  expect(backend.requests[0]?.headers.get("authorization")).toBe(
    `Basic ${Buffer.from("me:secret").toString("base64")}`,
  );
});

test("a span arrives with its ids, parent, times, attributes and status", async () => {
  backend = openBackend();
  const exporter = open(backend.url, true);
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const parent = { traceId, spanId: "00f067aa0ba902b7", isSampled: true };
  const span = {
    name: "tools/call search",
    startMs: 1_795_000_000_000,
    endMs: 1_795_000_000_250,
    isError: true,
  };
  const attributes = { "mcp_meter.tokens.result": 7 };
  await exporter.sendSpans([{ ...span, attributes, parent, traceId, spanId: "1122334455667788" }], {
    "service.name": "m",
  });
  expect(backend.requests[0]?.path).toBe("/v1/traces");
  expect(backend.spans()).toEqual([
    {
      name: "tools/call search",
      traceId,
      spanId: "1122334455667788",
      parentId: "00f067aa0ba902b7",
      kind: 2,
      startMs: 1_795_000_000_000,
      endMs: 1_795_000_000_250,
      attributes,
      resource: { "service.name": "m" },
      status: 2,
    },
  ]);
});

test("without spans no request is made for them", async () => {
  backend = openBackend();
  await open(backend.url).sendSpans([], {});
  await open(backend.url, true).sendSpans([], {});
  expect(backend.requests).toEqual([]);
});

test("a refused request rejects with its status alone", async () => {
  backend = openBackend(() => new Response("secret", { status: 404 }));
  const exporter = open(backend.url);
  expect(exporter.sendMetrics(period, {})).rejects.toThrow(/^HTTP 404$/);
});
