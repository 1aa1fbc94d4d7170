/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function sha256(text: string): string {
  return Bun.SHA256.hash(text, "hex");
}
