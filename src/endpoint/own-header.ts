/** A header that every request to a server gets. */
export type OwnHeader = readonly [name: string, value: string];

/** True for the name of a header, a token of RFC 9110. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^`|~\w]+$/.test(text);
}

/** Headers that each connection sets by itself; another value of one would break it or be ignored. */
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

/** True for a header that is about the connection and not about the request (RFC 9110 7.6.1). */
export function isConnectionHeader(name: string): boolean {
  return ofConnection.has(name.toLowerCase());
}

/** True for a text that HTTP transmits as it is. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
