import { httpSentences } from "./sentences.ts";
import { makeTextAnswer } from "./our-answers.ts";
import type { EndpointPaths } from "./redirects.ts";
import type { McpEndpoint } from "#wire/endpoint/mcp-endpoint.ts";

// The runtime sends at most 256 requests at a time; six of them are kept for telemetry.
export const openExchangesMax = 250;

type Serving = { readonly endpoint: EndpointPaths; readonly upstream: McpEndpoint };

export function rejectRequest(
  request: Request,
  url: URL,
  { endpoint, upstream }: Serving,
  openExchanges: number,
): Response | undefined {
  const foreignHeader = findForeignHeader(request.headers);
  if (foreignHeader) return makeTextAnswer(403, httpSentences.foreignRequest(foreignHeader));
  const status = findRefusalStatus(request, url.pathname, endpoint.has(url));
  if (!status) {
    return openExchanges < openExchangesMax
      ? undefined
      : makeTextAnswer(503, httpSentences.exchangesFull(openExchangesMax));
  }
  const rejection = makeTextAnswer(status, httpSentences.requestUnserved(upstream.url.pathname));
  if (status === 405) rejection.headers.set("allow", "POST, GET, DELETE, OPTIONS");
  return rejection;
}

const localAddress = String.raw`(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?`;
const localHost = new RegExp(`^${localAddress}$`, "i");
const localOrigin = new RegExp(`^https?://${localAddress}$`, "i");

// A foreign Host means DNS rebinding. For images and scripts, browsers send Sec-Fetch-Site but no Origin.
export function findForeignHeader(
  headers: Headers,
): "Host" | "Origin" | "Sec-Fetch-Site" | undefined {
  if (!localHost.test(headers.get("host") ?? "")) return "Host";
  const origin = headers.get("origin");
  if (origin !== null && !localOrigin.test(origin)) return "Origin";
  const site = headers.get("sec-fetch-site") ?? "none";
  return site === "none" || site === "same-origin" ? undefined : "Sec-Fetch-Site";
}

const forwardedMethods: ReadonlySet<string> = new Set(["GET", "DELETE", "OPTIONS"]);

// OAuth and the old HTTP+SSE transport send POST requests to paths other than the endpoint; OAuth also reads
// `/.well-known/` paths.
export function findRefusalStatus(
  { method, headers }: Pick<Request, "method" | "headers">,
  path: string,
  isEndpoint: boolean,
): 404 | 405 | 406 | undefined {
  if (method === "POST") return undefined;
  if (method === "GET" && path.includes("/.well-known/")) return undefined;
  if (!forwardedMethods.has(method)) return 405;
  if (!isEndpoint) return 404;
  const accept = headers.get("accept") ?? "";
  return method === "GET" && !/text\/event-stream/i.test(accept) ? 406 : undefined;
}
