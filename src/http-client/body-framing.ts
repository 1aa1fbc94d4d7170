import type { AnswerHead } from "./answer.ts";
import type { ParsedHead } from "./answer-head.ts";
import { malformed } from "./http-fault.ts";

/** Where the body of an answer ends: after that many bytes, by its chunks, or with the connection. */
export type BodyFraming =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" }
  | { readonly kind: "connection" };

/** Statuses of answers without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 304]);

/** The framing of the body of an answer (RFC 9112 6.3). Throws HttpFault for one that two programs could read in two ways. */
export function framingOf(method: string, { status, headers }: AnswerHead): BodyFraming {
  const coding = headers.get("transfer-encoding")?.toLowerCase();
  const length = headers.get("content-length");
  if (coding !== undefined && length !== null) throw malformed();
  const bytes = length === null ? undefined : lengthOf(length);
  if (method === "HEAD" || bodiless.has(status)) return { kind: "none" };
  if (coding === "chunked") return { kind: "chunked" };
  // The name that older servers have for no coding (RFC 2616 3.6).
  if (coding === "identity") return { kind: "connection" };
  // A coding of the transfer that was not asked for.
  if (coding !== undefined) throw malformed();
  return bytes === undefined ? { kind: "connection" } : { kind: "length", bytes };
}

/** A server may repeat the same length. */
function lengthOf(value: string): number {
  const [length, ...others] = new Set(value.split(",").map((one) => one.trim()));
  if (length === undefined || others.length > 0 || !/^[0-9]{1,15}$/.test(length)) throw malformed();
  return Number(length);
}

/** True where the connection may carry another request after the answer (RFC 9112 9.3). */
export function isPersistent({ minorVersion, headers }: ParsedHead): boolean {
  const options = (headers.get("connection") ?? "").toLowerCase().split(",");
  const named = new Set(options.map((one) => one.trim()));
  if (named.has("close")) return false;
  return minorVersion === 1 || named.has("keep-alive");
}

/** True for an answer without a body that announces one, which a server may still send. */
export function announcesBody({ headers }: AnswerHead): boolean {
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) !== 0;
}

/** Seconds for which the server says that it keeps a connection without requests; undefined where it does not say. */
export function keptSeconds(headers: Headers): number | undefined {
  const [, seconds] =
    /(?:^|[,;\s])timeout=([0-9]{1,9})/i.exec(headers.get("keep-alive") ?? "") ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
