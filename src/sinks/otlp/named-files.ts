import { statSync } from "node:fs";
import { certificateBytesMax } from "#limits/telemetry.ts";

const parts = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"];
const signals = ["", "METRICS_", "TRACES_"];

/** Variables of OpenTelemetry that name a file, which the packages read as a whole, while everything else waits. */
const fileVariables = signals.flatMap((signal) =>
  parts.map((part) => `OTEL_EXPORTER_OTLP_${signal}${part}`),
);

/**
 * The first variable whose file must not be read: a pipe, on which a session would wait forever, or one that is too long. Undefined
 * when there is none; a file that is missing is left to the packages, which continue without it.
 */
export function unreadableFile(
  env: Readonly<{ [name: string]: string | undefined }>,
): string | undefined {
  return fileVariables.find((name) => {
    const file = env[name]?.trim() ?? "";
    return file !== "" && !mayBeRead(file);
  });
}

function mayBeRead(file: string): boolean {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= certificateBytesMax;
  } catch {
    return true;
  }
}
