export function sha256(content: string | Uint8Array): string {
  return Bun.SHA256.hash(content, "hex");
}

export function keyedSha256(key: string, ...parts: readonly (string | Uint8Array)[]): string {
  const hasher = new Bun.CryptoHasher("sha256", key);
  for (const part of parts) hasher.update(part);
  return hasher.digest("hex");
}

// Fast, but anyone can find two contents with equal hashes.
export function quickHash(content: string | Uint8Array): bigint {
  return Bun.hash.xxHash3(content);
}

// Redis names its scripts by SHA-1.
export function sha1(text: string): string {
  return new Bun.CryptoHasher("sha1").update(text).digest("hex");
}

// Must never change: the ids of imported conversations and sessions depend on it.
const namespace = "0b4f2c1e-6d1a-4a7e-9d35-5b1a7c9e2f40";

export function deriveUuid(name: string): string {
  return Bun.randomUUIDv5(name, namespace);
}
