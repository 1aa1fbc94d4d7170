import { attempt } from "#kit/errors.ts";
import { type OtlpEnvironment, findEndpoint } from "./endpoint.ts";
import { type Exporter, OtlpSink } from "./otlp-sink.ts";
import { statSync } from "node:fs";

// By default, the exporter waits at least 800 ms before a retry. This timeout is shorter, because retries would delay
// the end of a session.
const exportMaxMs = 750;

export type OtlpOptions = {
  readonly url: string | undefined;
  readonly sendsSpans: boolean;
};

export function openOtlp(
  options: OtlpOptions,
  env: OtlpEnvironment,
  reportFailure: (reason: string) => void,
): OtlpSink {
  const { sendsSpans } = options;
  return new OtlpSink({ sendsSpans, reportFailure, open: () => openExporter(options, env) });
}

async function openExporter(
  { url, sendsSpans }: OtlpOptions,
  env: OtlpEnvironment,
): Promise<Exporter> {
  const metrics = findEndpoint("metrics", url, env);
  const traces = sendsSpans ? findEndpoint("traces", url, env) : undefined;
  if (!metrics || (sendsSpans && !traces)) {
    throw new Error("an OTEL_EXPORTER_OTLP_*ENDPOINT variable is not an http or https URL");
  }
  const variable = findUnusableFileVariable(env);
  if (variable !== undefined)
    throw new Error(`${variable} must name a regular file of at most 2 MB`);
  const { createExporter } = await import("./protobuf.ts");
  const hasTimeout = timeoutVariables.some((name) => (env[name] ?? "") !== "");
  return createExporter({ metrics, traces, timeoutMs: hasTimeout ? undefined : exportMaxMs });
}

const timeoutVariables = [
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT",
  "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
];

export const certificateBytesMax = 2_000_000;

const certificateKinds = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"];
const signals = ["", "METRICS_", "TRACES_"];

// Each names a file that the OpenTelemetry packages read synchronously.
const fileVariables = signals.flatMap((signal) =>
  certificateKinds.map((kind) => `OTEL_EXPORTER_OTLP_${signal}${kind}`),
);

export function findUnusableFileVariable(env: OtlpEnvironment): string | undefined {
  return fileVariables.find((name) => {
    const file = env[name]?.trim() ?? "";
    return file !== "" && !isSafeToRead(file);
  });
}

// False for a pipe: reading it could block forever. True for a missing file: the OpenTelemetry packages ignore it.
function isSafeToRead(file: string): boolean {
  return attempt(() => {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= certificateBytesMax;
  }, true);
}
