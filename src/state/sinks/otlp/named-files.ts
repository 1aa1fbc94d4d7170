import { statSync } from "node:fs";

// A bundle of all public authorities has some 250,000.
export const certificateBytesMax = 2_000_000;

const parts = ["CERTIFICATE", "CLIENT_CERTIFICATE", "CLIENT_KEY"];
const signals = ["", "METRICS_", "TRACES_"];

/** The packages read these files whole, while everything else waits. */
const fileVariables = signals.flatMap((signal) =>
  parts.map((part) => `OTEL_EXPORTER_OTLP_${signal}${part}`),
);

/** A pipe, on which a session would wait forever, or a file that is too long. A missing file is left to the packages, which continue without it. */
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
