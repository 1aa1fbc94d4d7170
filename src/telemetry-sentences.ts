import { counted, inSentence } from "./error-words.ts";

/** The sentences of `errors.ts` about telemetry. None has an address: it may hold a password. */
export const telemetrySentences = {
  otlpMalformed: () => `--otlp must be an http or https URL, such as http://localhost:4318`,
  tracesNeedOtlp: () => `--otlp-traces requires --otlp`,
  telemetryFailed: (what: string) => `Cannot send telemetry: ${what}; traffic and records continue`,
  metricsWithoutBudgets: (fault: string) => `Leaving out the use of budgets: ${inSentence(fault)}`,
  noDaysToSend: () =>
    `There are no whole days with records to send; today is sent from tomorrow on`,
  daysSent: (points: number, days: number) =>
    `Sent ${counted(points, "value")} of ${counted(days, "day")}`,
  daysUnsent: (what: string) => `Cannot send the days: ${what}`,
} as const;
