import type { CallSpan } from "#history/telemetry/call-span.ts";
import type { Attributes, MetricReading, Temporality } from "#history/telemetry/instruments.ts";

export type SumPeriod = { readonly startMs: number; readonly endMs: number };

type PeriodReadings = SumPeriod & { readonly readings: readonly MetricReading[] };

export type IdentifiedSpan = CallSpan & { readonly traceId: string; readonly spanId: string };

// Promises reject with a short reason that holds no address.
export type Exporter = {
  readonly temporality: Temporality;
  sendMetrics(periods: readonly PeriodReadings[], resource: Attributes): Promise<void>;
  sendSpans(spans: readonly IdentifiedSpan[], resource: Attributes): Promise<void>;
};
