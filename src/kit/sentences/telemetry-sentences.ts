import { inSentence } from "../error-words.ts";

export const exportFailures = {
  unknown: () => "the export failed",
  notReady: () => "the backend is not ready",
  answerTooLong: () => "the answer of the backend is too long",
  headerMalformed: () =>
    "a header has a character that cannot be sent; see OTEL_EXPORTER_OTLP_HEADERS",
} as const;

/** None has an address: it may hold a password. */
export const telemetrySentences = {
  otlpMalformed: () => `--otlp must be an http or https URL, such as http://localhost:4318`,
  tracesNeedOtlp: () => `--otlp-traces requires --otlp`,
  telemetryFailed: (what: string) => `Cannot send telemetry: ${what}; traffic and records continue`,
  metricsWithoutBudgets: (fault: string) => `Leaving out the use of budgets: ${inSentence(fault)}`,
} as const;
