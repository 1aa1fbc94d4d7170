import { counted, inSentence } from "./error-words.ts";

/** Reasons of failed exports, as clauses. */
export const exportFailures = {
  unknown: () => "the export failed",
  notReady: () => "the backend is not ready",
  answerTooLong: () => "the answer of the backend is too long",
  headerMalformed: () =>
    "a header has a character that cannot be sent; see OTEL_EXPORTER_OTLP_HEADERS",
} as const;

/** The sentences of `errors.ts` about telemetry. None has an address: it may hold a password. */
export const telemetrySentences = {
  otlpMalformed: () => `--otlp must be an http or https URL, such as http://localhost:4318`,
  tracesNeedOtlp: () => `--otlp-traces requires --otlp`,
  telemetryFailed: (what: string) => `Cannot send telemetry: ${what}; traffic and records continue`,
  metricsWithoutBudgets: (fault: string) => `Leaving out the use of budgets: ${inSentence(fault)}`,
  noDaysToSend: () => `No whole days with records to send; those of today can be sent tomorrow`,
  daysSent: (points: number, days: number) =>
    `Sent ${counted(points, "value")} of ${counted(days, "day")}`,
  daysRefused: (seconds: number) =>
    `The connection to the backend was refused; trying for ${counted(seconds, "second")}`,
  daysSending: () => `Sending the days`,
  daysUnsent: (what: string) => `Cannot send the days: ${what}`,
} as const;
