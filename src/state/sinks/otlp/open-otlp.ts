import { endpointOf } from "./endpoint.ts";
import type { Exporter } from "./exported.ts";
import { unreadableFile } from "./named-files.ts";
import { OtlpSink } from "./otlp-sink.ts";

// Default: shorter than the exporter's retry pause of 800, so that a refusing backend does not delay the end.
const exportMaxMs = 750;

export type OtlpOptions = {
  readonly url: string | undefined;
  readonly hasSpans: boolean;
};

type Environment = Readonly<{ [name: string]: string | undefined }>;

export function openOtlp(
  { url, hasSpans }: OtlpOptions,
  env: Environment,
  failed: (what: string) => void,
): OtlpSink {
  return new OtlpSink({
    hasSpans,
    failed,
    open: () => openExporter({ url, hasSpans }, env),
  });
}

/** Loads the packages, which no session without telemetry needs. Rejects when an address is not one of HTTP. */
async function openExporter({ url, hasSpans }: OtlpOptions, env: Environment): Promise<Exporter> {
  const metrics = endpointOf("metrics", url, env);
  const traces = hasSpans ? endpointOf("traces", url, env) : undefined;
  if (!metrics || (hasSpans && !traces)) {
    throw new Error("OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https URL");
  }
  const unreadable = unreadableFile(env);
  if (unreadable !== undefined) throw new Error(`${unreadable} is not a file that can be read`);
  const { createExporter } = await import("./exporter.ts");
  const isTimed = timeVariables.some((name) => (env[name] ?? "") !== "");
  return createExporter({ metrics, traces, timeoutMs: isTimed ? undefined : exportMaxMs });
}

const timeVariables = [
  "OTEL_EXPORTER_OTLP_TIMEOUT",
  "OTEL_EXPORTER_OTLP_METRICS_TIMEOUT",
  "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
];
