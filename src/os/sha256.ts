/** SHA-256 of bytes, or of a text's UTF-8 bytes, in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return Bun.SHA256.hash(content, "hex");
}

/** HMAC with SHA-256 of a text's UTF-8 bytes, in hexadecimal. */
export function keyedSha256(key: string, text: string): string {
  return new Bun.CryptoHasher("sha256", key).update(text).digest("hex");
}

/** SHA-256 of bytes that come in parts. */
export class ByteHash {
  readonly #hasher = new Bun.CryptoHasher("sha256");

  update(bytes: Uint8Array): void {
    this.#hasher.update(bytes);
  }

  /** The hash of the bytes so far, in hexadecimal; more may follow. */
  digest(): string {
    return this.#hasher.copy().digest("hex");
  }
}

/** SHA-1 of a text's UTF-8 bytes, in hexadecimal: the name that Redis gives a script. */
export function sha1(text: string): string {
  return new Bun.CryptoHasher("sha1").update(text).digest("hex");
}
