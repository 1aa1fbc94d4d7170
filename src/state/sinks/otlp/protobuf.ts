import {
  type HrTime,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  ValueType,
} from "@opentelemetry/api";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-proto";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import {
  AggregationTemporality,
  DataPointType,
  InstrumentType,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import type {
  Attributes,
  MetricReading,
  MetricPoint,
} from "#history/telemetry/metric-definitions.ts";
import { version } from "#kit/version.ts";
import { type Endpoint, describeExportFailure } from "./endpoint.ts";
import type { Exporter, IdentifiedSpan, SumPeriod } from "./otlp-sink.ts";

export type ExporterOptions = {
  readonly metrics: Endpoint;
  readonly traces: Endpoint | undefined;
  readonly timeoutMs: number | undefined;
};

const scope = { name: "mcp-meter", version };

// `OTEL_*` variables set compression, headers, certificates and temporality. They set timeouts if `timeoutMs` is unset.
export function createExporter({ metrics, traces, timeoutMs }: ExporterOptions): Exporter {
  const timeoutOption = timeoutMs === undefined ? {} : { timeoutMillis: timeoutMs };
  const metricExporter = new OTLPMetricExporter({ ...metrics, ...timeoutOption });
  const traceExporter = traces && new OTLPTraceExporter({ ...traces, ...timeoutOption });
  const temporality = metricExporter.selectAggregationTemporality(InstrumentType.COUNTER);
  return {
    temporality: temporality === AggregationTemporality.DELTA ? "delta" : "cumulative",
    sendMetrics: (period, resource) =>
      runExport((done) => {
        const data = period.readings.map((reading) => makeMetric(reading, period, temporality));
        const scopeMetrics = [{ scope, metrics: data }];
        metricExporter.export({ resource: makeResource(resource), scopeMetrics }, done);
      }),
    sendSpans: async (spans, resource) => {
      if (!traceExporter || spans.length === 0) return;
      const shared = makeResource(resource);
      const readable = spans.map((span) => makeSpan(span, shared));
      await runExport((done) => traceExporter.export(readable, done));
    },
  };
}

type ExportResult = { readonly code: number; readonly error?: unknown };

async function runExport(start: (done: (result: ExportResult) => void) => void): Promise<void> {
  const result = await new Promise<ExportResult>(start);
  if (result.code !== 0) throw new Error(describeExportFailure(result.error));
}

function makeResource(attributes: Attributes): Resource {
  const fromEnvironment = detectResources({ detectors: [envDetector] });
  // Environment variables override all attributes except `mcp_meter.*` and `service.instance.*`, by which receivers
  // distinguish the sums of different meters.
  const fixedAttributes = Object.entries(attributes).filter(([name]) =>
    /^(?:mcp_meter|service\.instance)\./.test(name),
  );
  return resourceFromAttributes(attributes)
    .merge(fromEnvironment)
    .merge(resourceFromAttributes(Object.fromEntries(fixedAttributes)));
}

function makeMetric(
  { instrument, points }: MetricReading,
  { startMs, endMs }: SumPeriod,
  temporality: AggregationTemporality,
): MetricData {
  const { name, unit, description, kind, bounds = [] } = instrument;
  const valueType = unit === "1" || unit === "s" ? ValueType.DOUBLE : ValueType.INT;
  const descriptor = { name, unit, description, valueType };
  const times = { startTime: toHrTime(startMs), endTime: toHrTime(endMs) };
  const timedPoints = points.map(({ attributes, values }) => ({ ...times, attributes, values }));
  const shared = { descriptor, aggregationTemporality: temporality };
  if (kind === "histogram") {
    const dataPoints = timedPoints.map(({ values, ...point }) => ({
      ...point,
      value: makeHistogram(values, bounds),
    }));
    return { ...shared, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = timedPoints.map(({ values, ...point }) => ({
    ...point,
    value: values[0] ?? 0,
  }));
  return kind === "gauge"
    ? { ...shared, dataPointType: DataPointType.GAUGE, dataPoints }
    : { ...shared, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true };
}

// `values` has the count of each bucket, and the sum as its last item.
function makeHistogram(values: MetricPoint["values"], bounds: readonly number[]) {
  const counts = values.slice(0, -1);
  return {
    buckets: { boundaries: [...bounds], counts },
    count: counts.reduce((sum, count) => sum + count, 0),
    sum: values.at(-1) ?? 0,
  };
}

function makeSpan(span: IdentifiedSpan, resource: Resource) {
  const { name, attributes, traceId, spanId, parent, startMs, endMs, isError } = span;
  const context: SpanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    name,
    kind: SpanKind.SERVER,
    spanContext: () => context,
    ...(parent
      ? {
          parentSpanContext: {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: TraceFlags.SAMPLED,
            isRemote: true,
          },
        }
      : {}),
    startTime: toHrTime(startMs),
    endTime: toHrTime(endMs),
    duration: toHrTime(endMs - startMs),
    status: { code: isError ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: scope,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function toHrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)];
}
