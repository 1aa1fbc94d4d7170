export type OwnHeader = readonly [name: string, value: string];

export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^`|~\w]+$/.test(text);
}

/** Each connection sets them: another value would break it or be ignored. */
const ofConnection: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** About the connection and not the request (RFC 9110 7.6.1). */
export function isConnectionHeader(name: string): boolean {
  return ofConnection.has(name.toLowerCase());
}

export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
