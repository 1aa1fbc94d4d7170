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

/** A URL of HTTP with a host; undefined for any other text. */
export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

function toEndpoint(url: URL | undefined): Endpoint | undefined {
  if (!url) return undefined;
  const { username, password } = url;
  url.username = "";
  url.password = "";
  url.hash = "";
  if (username === "" && password === "") return { url: url.href, headers: {} };
  const credentials = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  return { url: url.href, headers: { Authorization: `Basic ${credentials}` } };
}

/** A percent sign that encodes nothing stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
