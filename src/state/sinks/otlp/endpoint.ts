import { parseHttpUrl, extractCredentials } from "#kit/text/http-url.ts";

export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<{ [name: string]: string }>;
};

export type OtlpEnvironment = Readonly<{ [name: string]: string | undefined }>;

const defaultBase = "http://localhost:4318";

// From the user's URL (`base`), else `OTEL_*` variables, else this machine. Undefined if not HTTP.
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
  // Also accepts a full address, as some backends document it.
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
