import { sentences } from "#errors.ts";
import type { Io } from "#io.ts";
import type { OtlpSink } from "#sinks/otlp/otlp-sink.ts";
import type { ReportFault } from "./faults.ts";
import type { RunOptions } from "./options.ts";

/** Loads telemetry only if it is wanted. */
export async function openTelemetry(
  { otlp }: Pick<RunOptions, "otlp">,
  env: Io["env"],
  report: ReportFault,
): Promise<OtlpSink | undefined> {
  if (!otlp) return undefined;
  const { openOtlp } = await import("#sinks/otlp/open-otlp.ts");
  return openOtlp(otlp, env, (what) => report(sentences.telemetryFailed(what), what, "telemetry"));
}
