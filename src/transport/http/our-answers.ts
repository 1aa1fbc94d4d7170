import { readRawId } from "#meter/calls/call.ts";
import type { Line } from "#wire/line.ts";
import { makeErrorLine } from "#wire/message.ts";

export function makeTextAnswer(status: number, text: string): Response {
  const headers = { "content-type": "text/plain; charset=utf-8" };
  return new Response(`${text}\n`, { status, headers });
}

// JSON-RPC error code when the server's answer is missing or cannot be forwarded.
const gatewayCode = -31_901;

export function makeGatewayError(request: Line | undefined, sentence: string): Response {
  const error = { code: gatewayCode, message: `mcp-meter: ${sentence}` };
  const id = request ? readRawId({ line: request, item: undefined }) : "null";
  return makeJsonAnswer(502, makeErrorLine(id, error));
}

export function makeReplyAnswer(lines: Uint8Array | undefined): Response {
  return lines ? makeJsonAnswer(200, lines) : new Response(null, { status: 202 });
}

function makeJsonAnswer(status: number, bytes: Uint8Array): Response {
  return new Response(bytes, { status, headers: { "content-type": "application/json" } });
}

const localAddress = String.raw`(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?`;
const localHost = new RegExp(`^${localAddress}$`, "i");
const localOrigin = new RegExp(`^https?://${localAddress}$`, "i");

// A foreign Host means DNS rebinding. For images and scripts, browsers send only Sec-Fetch-Site.
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

// Undefined if the request may pass. The old HTTP+SSE transport and OAuth metadata use other paths.
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
