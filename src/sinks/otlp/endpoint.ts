import { parseHttpUrl, withoutCredentials } from "#text/http-url.ts";

/** Signals of OpenTelemetry that we send. */
export type Signal = "metrics" | "traces";

/** The address that a signal is sent to, without credentials, and the header that has them. */
export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<{ [name: string]: string }>;
};

/** Of the command line, the config or our variable: an address, or undefined for that of `OTEL_*` variables. */
type NamedBase = string | undefined;

type Environment = Readonly<{ [name: string]: string | undefined }>;

const defaultBase = "http://localhost:4318";

/**
 * The address of a signal: `URL/v1/metrics` of the URL that the user named, else those of `OTEL_*` variables, else of a collector
 * on this machine. Undefined when it is not one of HTTP.
 */
export function endpointOf(
  signal: Signal,
  base: NamedBase,
  env: Environment,
): Endpoint | undefined {
  const own = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_ENDPOINT`]?.trim() ?? "";
  if (base === undefined && own !== "") return toEndpoint(parseHttpUrl(own));
  const shared = env["OTEL_EXPORTER_OTLP_ENDPOINT"]?.trim() ?? "";
  const url = parseHttpUrl(base ?? (shared === "" ? defaultBase : shared));
  if (!url) return undefined;
  // A whole address, as some backends document it, is accepted as well.
  const root = url.pathname.replace(/\/+$/, "").replace(/\/v1\/(?:metrics|traces)$/, "");
  url.pathname = `${root}/v1/${signal}`;
  return toEndpoint(url);
}

function toEndpoint(given: URL | undefined): Endpoint | undefined {
  if (!given) return undefined;
  const { url, authorization } = withoutCredentials(given);
  return {
    url: url.href,
    headers: authorization === undefined ? {} : { Authorization: authorization },
  };
}
