import { describeReason } from "#kit/sentences.ts";

const codePattern = /^[A-Za-z][A-Za-z0-9_]{1,39}$/;

const connectionRefusals = new Set(["ConnectionRefused", "FailedToOpenSocket"]);

// Never returns the error's text, which may hold an address or an answer.
export function describeExportFailure(error: unknown): string {
  if (!(error instanceof Error)) return exportFailures.unknown();
  if (error.message === "Request timed out") return noAnswer;
  if (error.message.includes("exceeded size limit")) return exportFailures.answerTooLong();
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `HTTP ${code}`;
  if (code === "ERR_INVALID_CHAR") return exportFailures.headerMalformed();
  if (typeof code === "string" && connectionRefusals.has(code))
    return describeReason("ECONNREFUSED");
  if (typeof code === "string" && codePattern.test(code)) return describeReason(code);
  const isRetryable = error.message.includes("retryable status");
  return isRetryable ? exportFailures.notReady() : exportFailures.unknown();
}

export const noAnswer: string = describeReason("ETIMEDOUT");

const exportFailures = {
  unknown: () => "the export failed",
  notReady: () => "the backend is not ready",
  answerTooLong: () => "the backend's answer is too long",
  headerMalformed: () =>
    "a header has a character that cannot be sent; see OTEL_EXPORTER_OTLP_HEADERS",
} as const;
