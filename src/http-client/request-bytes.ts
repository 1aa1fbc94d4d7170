import type { OutgoingRequest } from "./answer.ts";

/** Methods whose requests say that they have no body. */
const bodied: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** Headers of the connection, which are ours. */
const own: ReadonlySet<string> = new Set(["connection", "content-length", "host"]);

/** The head of a request in HTTP/1.1. The names and values of `Headers` hold no end of a line. */
export function requestHead({
  method,
  url,
  headers,
  body,
}: Omit<OutgoingRequest, "leaving">): Uint8Array {
  // A server behind another name than that of its address may be asked for by that.
  const host = headers.get("host") ?? url.host;
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  // Iterated in this way, no array is made for each of them.
  headers.forEach((value, name) => {
    if (!own.has(name)) head += `${name}: ${value}\r\n`;
  });
  if (body || bodied.has(method)) head += `content-length: ${body?.length ?? 0}\r\n`;
  return Buffer.from(`${head}\r\n`, "latin1");
}
