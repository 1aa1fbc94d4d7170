import { inWords } from "#kit/error-words.ts";

const codeForm = /^[A-Za-z][A-Za-z0-9_]{1,39}$/;

const refusals = new Set(["ConnectionRefused", "FailedToOpenSocket"]);

/** Never the text of the error, which may have an address or an answer. */
export function exportFailure(error: unknown): string {
  if (!(error instanceof Error)) return exportFailures.unknown();
  if (error.message === "Request timed out") return noAnswer;
  if (error.message.includes("exceeded size limit")) return exportFailures.answerTooLong();
  const code: unknown = "code" in error ? error.code : undefined;
  if (typeof code === "number") return `HTTP ${code}`;
  if (code === "ERR_INVALID_CHAR") return exportFailures.headerMalformed();
  if (typeof code === "string" && refusals.has(code)) return inWords("ECONNREFUSED");
  if (typeof code === "string" && codeForm.test(code)) return inWords(code);
  const isRetryable = error.message.includes("retryable status");
  return isRetryable ? exportFailures.notReady() : exportFailures.unknown();
}

export const noAnswer: string = inWords("ETIMEDOUT");

const exportFailures = {
  unknown: () => "the export failed",
  notReady: () => "the backend is not ready",
  answerTooLong: () => "the answer of the backend is too long",
  headerMalformed: () =>
    "a header has a character that cannot be sent; see OTEL_EXPORTER_OTLP_HEADERS",
} as const;
