import { parseHttpUrl, withoutCredentials } from "#kit/text/http-url.ts";

export type Signal = "metrics" | "traces";

export type Endpoint = {
  readonly url: string;
  readonly headers: Readonly<{ [name: string]: string }>;
};

type NamedBase = string | undefined;

type Environment = Readonly<{ [name: string]: string | undefined }>;

const defaultBase = "http://localhost:4318";

/** `URL/v1/metrics` of the user's URL, else `OTEL_*` variables, else a collector on this machine. Undefined when it is not HTTP. */
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
