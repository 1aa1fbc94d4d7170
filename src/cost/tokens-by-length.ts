/** Usual characters (or bytes) of English text and JSON per token. */
const lengthPerToken = 4;

/** Tokens that are charged for `length` characters or bytes of text that was not read. */
export function tokensByLength(length: number): number {
  return Math.ceil(length / lengthPerToken);
}
