import { malformed } from "./http-fault.ts";

/** The value of `Content-Length`, which may repeat the same length. Throws HttpFault. */
export function lengthOf(value: string): number {
  const [length, ...others] = new Set(value.split(",").map((one) => one.trim()));
  if (length === undefined || others.length > 0 || !/^[0-9]{1,15}$/.test(length)) throw malformed();
  return Number(length);
}

/** True where the connection may carry another exchange after this message (RFC 9112 9.3). */
export function isPersistent(minorVersion: number, headers: Headers): boolean {
  const options = (headers.get("connection") ?? "").toLowerCase().split(",");
  const named = new Set(options.map((one) => one.trim()));
  if (named.has("close")) return false;
  return minorVersion === 1 || named.has("keep-alive");
}
