import type { CallSpan } from "#telemetry/call-span.ts";
import type { Attributes, MetricReading, Temporality } from "#telemetry/series.ts";

/** The time of readings, in milliseconds since 1970: the start of their sums, and the moment of the readings. */
export type SumPeriod = { readonly startMs: number; readonly endMs: number };

/** Readings of one period. */
type PeriodReadings = SumPeriod & { readonly readings: readonly MetricReading[] };

/** A span with its ids: 32 and 16 hexadecimal digits. */
export type IdentifiedSpan = CallSpan & { readonly traceId: string; readonly spanId: string };

/** Sends to one backend. The promises reject with the reason in a few words, which hold no address. */
export type Exporter = {
  /** Where metrics go, without credentials. */
  readonly address: string;
  readonly temporality: Temporality;
  sendMetrics(periods: readonly PeriodReadings[], resource: Attributes): Promise<void>;
  /** Resolves at once where no address for spans is given. */
  sendSpans(spans: readonly IdentifiedSpan[], resource: Attributes): Promise<void>;
};
