import { readFileSync } from "node:fs";

/** The SHA-256 of a file in hexadecimal digits. */
export function sha256(file: string): string {
  return new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");
}
