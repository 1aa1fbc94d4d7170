import { nameClient } from "#tokens/cost/client-profiles/recognize-client.ts";
import { raceTimeout } from "#kit/os/race-timeout.ts";
import type { CallRecord, MeterRecord, SessionRecord } from "#records/record.ts";
import {
  attributeNames,
  type Attributes,
  type MetricReading,
  type Temporality,
  telemetryNameCharactersMax,
} from "#history/telemetry/metric-definitions.ts";
import { SessionMetrics } from "#history/telemetry/session-metrics.ts";
import { makeSafeName } from "#kit/text/unsafe-text.ts";
import { parseTraceParent, type TraceParent } from "#wire/message.ts";
import { version } from "#kit/version.ts";
import { noAnswer } from "./endpoint.ts";

const telemetryIntervalMs = 15_000;

// Unchanged sums are sent twice a day: the rules and panels in docs/ look back one day, and one export may fail.
export const telemetryRepeatMs = 12 * 60 * 60 * 1_000;

export const telemetryAtExitMaxMs = 1_500;

export const waitingSpansMax = 2_048;

export const earlyExportSpansMin = 512;

export type SumPeriod = { readonly startMs: number; readonly endMs: number };

export type PeriodReadings = SumPeriod & { readonly readings: readonly MetricReading[] };

export type IdentifiedSpan = CallSpan & { readonly traceId: string; readonly spanId: string };

// Promises reject with a short reason that holds no address.
export type Exporter = {
  readonly temporality: Temporality;
  sendMetrics(period: PeriodReadings, resource: Attributes): Promise<void>;
  sendSpans(spans: readonly IdentifiedSpan[], resource: Attributes): Promise<void>;
};

export type OtlpSinkDeps = {
  readonly sendsSpans: boolean;
  readonly open: () => Promise<Exporter>;
  readonly reportFailure: (reason: string) => void;
  readonly now?: () => number;
  readonly intervalMs?: number;
};

// Only the end of a session waits for the backend, for at most `telemetryAtExitMaxMs`.
// The next export repeats a failed one.
export class OtlpSink {
  readonly #deps: OtlpSinkDeps;
  readonly #now: () => number;
  readonly #metrics = new SessionMetrics();
  readonly #timer: Timer;
  #session: SessionRecord | undefined;
  // Fixed by the first export: with another resource, a backend would count the same tokens again.
  #resource: Attributes | undefined;
  #startMs: number | undefined;
  // When cumulative sums were last sent. Undefined for delta sums, which are sent only if they changed.
  #cumulativeAtMs: number | undefined;
  #spans: IdentifiedSpan[] = [];
  #exporter: Promise<Exporter> | undefined;
  #exporting: Promise<boolean> | undefined;
  #waitLeftMs = telemetryAtExitMaxMs;
  #hasFailed = false;

  constructor(deps: OtlpSinkDeps) {
    this.#deps = deps;
    this.#now = deps.now ?? Date.now;
    this.#timer = setInterval(() => this.startExport(), deps.intervalMs ?? telemetryIntervalMs);
    this.#timer.unref();
  }

  // Never throws: an error would stop the meter and its budgets.
  take(record: MeterRecord): void {
    try {
      this.#take(record);
    } catch (error) {
      this.#failLater(error instanceof Error ? error.name : noAnswer);
    }
  }

  #take(record: MeterRecord): void {
    if (record.type === "session") this.#session = record;
    this.#startMs ??= Date.parse(record.ts);
    this.#metrics.take(record);
    if (record.type !== "call" || !this.#deps.sendsSpans) return;
    const shared = this.#metrics.makeCallAttributes(record);
    const span = makeCallSpan(record, shared, this.#session?.protocol_version ?? null);
    if (!span) return;
    if (this.#spans.length >= waitingSpansMax) {
      this.#failLater("spans were dropped");
      return;
    }
    this.#spans.push({
      ...span,
      traceId: span.parent?.traceId ?? makeRandomHex(16),
      spanId: makeRandomHex(8),
    });
    if (this.#spans.length >= earlyExportSpansMin) this.startExport();
  }

  startExport(): void {
    void this.#export();
  }

  async flush(): Promise<void> {
    const startedMs = performance.now();
    const hasEnded = await raceTimeout(this.#flushAll(), this.#waitLeftMs, () => false);
    this.#waitLeftMs = Math.max(0, this.#waitLeftMs - (performance.now() - startedMs));
    if (!hasEnded) this.#fail(noAnswer);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    if (this.#hasNews) await this.flush();
  }

  get #hasNews(): boolean {
    return this.#metrics.hasChanges || this.#spans.length > 0;
  }

  get #isLongSilent(): boolean {
    const sentMs = this.#cumulativeAtMs;
    return sentMs !== undefined && this.#now() - sentMs >= telemetryRepeatMs;
  }

  async #flushAll(): Promise<true> {
    const hasSucceeded = this.#exporting ? await this.#exporting : true;
    // A backend that has just failed is not waited for again.
    if (!hasSucceeded) {
      this.#waitLeftMs = 0;
      return true;
    }
    if (this.#hasNews && !(await this.#export())) this.#waitLeftMs = 0;
    return true;
  }

  async #export(): Promise<boolean> {
    this.#exporting ??= this.#exportNow().finally(() => {
      this.#exporting = undefined;
    });
    return this.#exporting;
  }

  async #exportNow(): Promise<boolean> {
    if (!this.#session || !(this.#hasNews || this.#isLongSilent)) return true;
    try {
      this.#exporter ??= this.#deps.open();
      const exporter = await this.#exporter;
      this.#resource ??= describeResource(this.#session, exporter.temporality);
      const sent = [
        this.#sendMetrics(exporter, this.#resource),
        this.#sendSpans(exporter, this.#resource),
      ];
      for (const outcome of await Promise.allSettled(sent))
        if (outcome.status === "rejected") throw outcome.reason;
      return true;
    } catch (error) {
      this.#fail(error instanceof Error ? error.message : noAnswer);
      return false;
    }
  }

  async #sendMetrics(exporter: Exporter, resource: Attributes): Promise<void> {
    if (!this.#metrics.hasChanges && !this.#isLongSilent) return;
    const endMs = this.#now();
    const startMs = Math.min(this.#startMs ?? endMs, endMs);
    const { temporality } = exporter;
    const readings = this.#metrics.readAll(temporality);
    await exporter.sendMetrics({ startMs, endMs, readings }, resource);
    this.#metrics.confirmAll();
    if (temporality === "delta") this.#startMs = endMs;
    else this.#cumulativeAtMs = endMs;
  }

  async #sendSpans(exporter: Exporter, resource: Attributes): Promise<void> {
    const spans = this.#spans;
    this.#spans = [];
    try {
      await exporter.sendSpans(spans, resource);
    } catch (error) {
      this.#spans = [...spans, ...this.#spans].slice(0, waitingSpansMax);
      throw error;
    }
  }

  // The failure itself becomes a record, so it is reported after the records that are being taken now.
  #failLater(reason: string): void {
    setImmediate(() => this.#fail(reason));
  }

  #fail(reason: string): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#deps.reportFailure(reason);
  }
}

function makeRandomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}

// Cumulative sums need an id per session; delta sums add up without one.
function describeResource(session: SessionRecord, temporality: Temporality): Attributes {
  const { server, client_name: client, estimator, user, session_id: id } = session;
  return {
    "service.name": "mcp-meter",
    "service.version": version,
    [attributeNames.server]: makeSafeValue(server),
    [attributeNames.client]: makeSafeValue(nameClient(client) ?? "unknown"),
    [attributeNames.estimator]: estimator,
    ...(user === undefined ? {} : { [attributeNames.user]: makeSafeValue(user) }),
    ...(temporality === "cumulative" ? { "service.instance.id": id } : {}),
  };
}

function makeSafeValue(rawText: string): string {
  return makeSafeName(rawText, telemetryNameCharactersMax);
}

type CallSpan = {
  readonly name: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly isError: boolean;
  readonly parent: TraceParent | undefined;
};

function makeCallSpan(
  record: CallRecord,
  shared: Attributes,
  protocolVersion: string | null,
): CallSpan | undefined {
  const parent = parseTraceParent(record.traceparent ?? "");
  if (parent?.isSampled === false) return undefined;
  const { outcome, request_id: id, duration_ms: durationMs } = record;
  const endMs = Date.parse(record.ts);
  const toolLabel = shared[attributeNames.tool];
  const method = shared[attributeNames.method];
  return {
    name: toolLabel === undefined ? String(method) : `${method} ${toolLabel}`,
    startMs: endMs - durationMs,
    endMs,
    attributes: {
      ...shared,
      ...(id === null ? {} : { [attributeNames.requestId]: makeSafeValue(String(id)) }),
      ...(protocolVersion === null
        ? {}
        : { [attributeNames.protocolVersion]: makeSafeValue(protocolVersion) }),
      [attributeNames.argumentTokens]: record.input_tokens,
      [attributeNames.resultTokens]: record.output_tokens,
    },
    isError: outcome !== "ok",
    parent,
  };
}
