/** SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function sha256(text: string): string {
  return Bun.SHA256.hash(text, "hex");
}

/** HMAC with SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function keyedSha256(key: string, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
}
