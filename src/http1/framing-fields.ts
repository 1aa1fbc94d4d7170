import { malformed } from "./http-fault.ts";

/** How the body of an answer is sent: not at all, as that many bytes, in chunks, or until the connection ends. */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "connection" };

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

/** Statuses of answers without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

/** True for an answer that has no body, whether or not its fields announce one (RFC 9112 6.3). */
export function isBodiless(method: string, status: number): boolean {
  return method === "HEAD" || bodiless.has(status);
}
