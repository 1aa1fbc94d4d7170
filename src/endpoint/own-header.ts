/** A header that every request to a server gets. */
export type OwnHeader = readonly [name: string, value: string];

/** True for the name of a header, a token of RFC 9110. */
export function isHeaderName(text: string): boolean {
  return /^[!#$%&'*+\-.^`|~\w]+$/.test(text);
}

/** True for a text that HTTP transmits as it is. */
export function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
