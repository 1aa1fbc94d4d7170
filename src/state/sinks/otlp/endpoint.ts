import { parseHttpUrl, extractCredentials } from "#kit/text/http-url.ts";
import { describeReason } from "#kit/sentences.ts";

export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<{ [name: string]: string }>;
};

export type OtlpEnvironment = Readonly<{ [name: string]: string | undefined }>;

const defaultBase = "http://localhost:4318";

// Uses the user's URL (`base`), else the `OTEL_*` variables, else this machine.
export function findEndpoint(
  signal: "metrics" | "traces",
  base: string | undefined,
  env: OtlpEnvironment,
): Endpoint | undefined {
  const signalUrl = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]?.trim() ?? "";
  if (base === undefined && signalUrl !== "") return makeEndpoint(parseHttpUrl(signalUrl));
  const shared = env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() ?? "";
  const url = parseHttpUrl(base ?? (shared === "" ? defaultBase : shared));
  if (!url) return undefined;
  // Some backends document a URL that already ends in /v1/metrics or /v1/traces.
  const root = url.pathname.replace(/\/+$/, "").replace(/\/v1\/(?:metrics|traces)$/, "");
  url.pathname = `${root}/v1/${signal}`;
  return makeEndpoint(url);
}

function makeEndpoint(parsed: URL | undefined): Endpoint | undefined {
  if (!parsed) return undefined;
  const { url, authorization } = extractCredentials(parsed);
  return {
    url: url.href,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  };
}

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
