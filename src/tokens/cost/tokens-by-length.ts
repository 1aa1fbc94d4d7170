// English text and JSON, in characters or bytes.
const lengthPerToken = 4;

export function tokensByLength(length: number): number {
  return Math.ceil(length / lengthPerToken);
}
